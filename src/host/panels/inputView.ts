import type { CallOrigin } from "../../client/serverPool.ts";
import type { ElicitationRequest } from "../../protocol/mrtr/inputRequired.ts";
import type { InputRequestView, InputRoundView, InputView } from "../../shared/inputMessages.ts";
import { currentRound, type InputQueue, type WaitingRound } from "./inputQueue.ts";
import { looksLikeSecret } from "./secretFields.ts";
import type { Translate } from "../../shared/translate.ts";
import { viewUrl } from "./urlView.ts";

/** What the page shows for a queue. `originOf` says who began a call, when that is known. */
export function viewInput(
  queue: InputQueue,
  originOf: (callId: string) => CallOrigin | undefined,
  t: Translate,
): InputView {
  const entry = currentRound(queue);
  if (entry === undefined) return { waiting: 0, current: undefined };
  const { roundId, round, isElsewhere = false } = entry;
  return {
    waiting: queue.waiting.length,
    current: {
      roundId,
      serverId: round.serverId,
      targetKind: targetKindOf(round.method),
      target: round.target,
      why: isElsewhere
        ? t(
            "You opened in the browser what “{server}” asked for. The call goes on when the server says that it is done, or when you continue.",
            { server: round.serverId },
          )
        : explainWhy(entry, originOf(round.callId), t),
      isElsewhere,
      round: round.round,
      maxRounds: round.maxRounds,
      history: queue.histories.get(round.callId) ?? [],
      requests: round.requests.map((request) => viewRequest(request, t)),
    },
  };
}

function explainWhy({ round }: WaitingRound, origin: CallOrigin | undefined, t: Translate): string {
  const { target: tool, serverId: server } = round;
  if (tool === undefined)
    return t("The server “{server}” needs information to go on. It did not say for which call.", { server });
  const kind = targetKindOf(round.method);
  if (kind !== "tool") {
    const args = { target: tool, server };
    return kind === "prompt"
      ? t("Getting the prompt “{target}” of “{server}” needs more information to go on.", args)
      : t("Reading the resource “{target}” of “{server}” needs more information to go on.", args);
  }
  const args = { tool, server };
  switch (origin) {
    case "panel":
      return t("You ran the tool “{tool}” of “{server}”, and it needs more information to go on.", args);
    case "chat":
      return t(
        "The tool “{tool}” of “{server}” was called from chat and needs more information to go on.",
        args,
      );
    case "api":
      return t(
        "Another extension called the tool “{tool}” of “{server}”, and it needs more information to go on.",
        args,
      );
    case "cli":
    case undefined:
      return t("The tool “{tool}” of “{server}” needs more information to go on.", args);
  }
}

function targetKindOf(method: string): InputRoundView["targetKind"] {
  if (method === "resources/read") return "resource";
  return method === "prompts/get" ? "prompt" : "tool";
}

function viewRequest(request: ElicitationRequest, t: Translate): InputRequestView {
  if (request.kind === "url") {
    const { parts, warnings, canOpen } = viewUrl(request.url, t);
    return { kind: "url", key: request.key, message: request.message, url: parts, warnings, canOpen };
  }
  const suspicious = request.form.fields.filter(looksLikeSecret).map((field) => field.title);
  const warnings = suspicious.map((field) =>
    t(
      "“{field}” looks like a request for a password, a key or payment data. Servers must not ask for those here.",
      {
        field,
      },
    ),
  );
  return { kind: "form", key: request.key, message: request.message, form: request.form, warnings };
}
