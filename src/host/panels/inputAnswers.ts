import type { FormField, FormValue, InputResponse, InputRound } from "../../protocol/mrtr/inputRequired.ts";
import type { InputAnswer, InputHistoryEntry, InputProblem } from "../../shared/inputMessages.ts";
import { checkForm } from "../../shared/formCheck.ts";
import { describeProblem } from "../../shared/problems.ts";
import type { Translate } from "../../shared/translate.ts";
import { looksLikeSecret } from "./secretFields.ts";
import { viewUrl } from "./urlView.ts";

/** What is to be done for an answer of the page: nothing but showing problems, or settling the round. */
export type AnswerVerdict =
  | { readonly kind: "problems"; readonly problems: readonly InputProblem[] }
  /** `opens` names the URLs to open first, by key; a URL that does not open turns its response into `cancel`. */
  | {
      readonly kind: "settle";
      readonly responses: ReadonlyMap<string, InputResponse>;
      readonly opens: ReadonlyMap<string, string>;
    };

/**
 * Decides about the answers to one round. Every request needs an answer of its own kind, forms are judged again here
 * whatever the page did, and a URL that may not be opened is never opened.
 */
export function judgeAnswers(
  round: InputRound,
  answers: readonly InputAnswer[],
  t: Translate,
): AnswerVerdict {
  const byKey = new Map(answers.map((answer) => [answer.key, answer]));
  const responses = new Map<string, InputResponse>();
  const opens = new Map<string, string>();
  const problems: InputProblem[] = [];
  for (const request of round.requests) {
    const { key } = request;
    const answer = byKey.get(key);
    if (answer?.action === "decline") {
      responses.set(key, { action: "decline" });
    } else if (request.kind === "form" && answer?.action === "accept") {
      const { content, problems: found } = checkForm(request.form, answer.content);
      for (const [field, problem] of found)
        problems.push({ key, field, message: describeProblem(problem, t) });
      responses.set(key, { action: "accept", content });
    } else if (request.kind === "url" && answer?.action === "open") {
      const { canOpen, href } = viewUrl(request.url, t);
      if (!canOpen) problems.push({ key, field: "", message: t("This address cannot be opened.") });
      opens.set(key, href);
      responses.set(key, { action: "accept" });
    } else {
      problems.push({ key, field: "", message: t("This request has no answer yet.") });
    }
  }
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "settle", responses, opens };
}

/** The same answer to every request of a round. */
export function answerAll(
  round: InputRound,
  action: "decline" | "cancel",
): ReadonlyMap<string, InputResponse> {
  return new Map(round.requests.map((request): [string, InputResponse] => [request.key, { action }]));
}

/** What the person is shown of an answered round while the call goes on. Lives in memory only. */
export function toHistory(
  round: InputRound,
  responses: ReadonlyMap<string, InputResponse>,
  t: Translate,
): readonly InputHistoryEntry[] {
  return round.requests.map((request) => {
    const response = responses.get(request.key) ?? { action: "cancel" };
    const content = response.action === "accept" ? response.content : undefined;
    const values =
      request.kind === "url" || content === undefined
        ? []
        : request.form.fields.flatMap((field) => {
            const value = content[field.name];
            return value === undefined ? [] : [{ title: field.title, value: showValue(field, value, t) }];
          });
    return { round: round.round, message: request.message, action: response.action, values };
  });
}

function showValue(field: FormField, value: FormValue, t: Translate): string {
  if (looksLikeSecret(field)) return "•••";
  if (typeof value === "boolean") return value ? t("Yes") : t("No");
  if (field.kind !== "choice" && field.kind !== "choices") return String(value);
  const titles = (typeof value === "object" ? value : [String(value)]).map(
    (one) => field.options.find((option) => option.value === one)?.title ?? one,
  );
  return titles.join(", ");
}
