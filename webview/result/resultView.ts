import { stringifyJson } from "../../src/base/json.ts";
import { assertNever } from "../../src/base/assertNever.ts";
import type { StructuredCheckView, ToolResultView, ToolRunStatus } from "../../src/shared/toolRunMessages.ts";
import { el } from "../dom.ts";
import { disclosure } from "../foldableText.ts";
import { icon, type IconName } from "../icons.ts";
import { formatDuration, t } from "../l10n.ts";
import { notice } from "../notice.ts";
import { createButton } from "../toolkit.ts";
import { blockHead, drawBlock, type ResultActions, textTools } from "./contentBlocks.ts";
import { createJsonTree } from "./jsonTree.ts";
import type { ObjectUrls } from "./mediaBlocks.ts";

export type FinishedRun = Extract<ToolRunStatus, { readonly kind: "done" | "failed" | "cancelled" }>;

export interface ResultParts {
  readonly actions: ResultActions;
  readonly urls: ObjectUrls;
  readonly showLog: () => void;
  /** Starts the command of a cure. */
  readonly cure: (command: string) => void;
}

/** A finished run, headed by its verdict. The heading can take the focus. */
export interface DrawnResult {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  /** The verdict in one sentence, to be read out. */
  readonly words: string;
}

export function drawResult(run: FinishedRun, parts: ResultParts): DrawnResult {
  switch (run.kind) {
    case "done":
      return drawDone(run.result, parts);
    case "failed":
      return drawFailed(run, parts);
    case "cancelled": {
      const words = t("Cancelled after {duration}.", { duration: formatDuration(run.durationMs) });
      const heading = drawHeading("stopped", "cancelled", t("Cancelled"), formatDuration(run.durationMs));
      const hint = t("The server was told to stop. What it had done by then, only the server knows.");
      return {
        element: el("section", { class: "result" }, heading, el("p", { class: "hint", text: hint })),
        heading,
        words,
      };
    }
    default:
      return assertNever(run);
  }
}

function drawHeading(
  name: IconName,
  kind: string,
  verdict: string,
  ...facts: readonly string[]
): HTMLElement {
  return el(
    "h2",
    { class: `result-heading result-${kind}`, attributes: { tabindex: "-1" } },
    icon(name),
    el("span", { text: verdict }),
    el("span", { class: "facts", text: facts.filter((fact) => fact !== "").join(" · ") }),
  );
}

function drawDone(result: ToolResultView, parts: ResultParts): DrawnResult {
  const duration = formatDuration(result.durationMs);
  const rounds =
    result.rounds === 0
      ? ""
      : result.rounds === 1
        ? t("1 request answered")
        : t("{count} requests answered", { count: result.rounds });
  const heading = result.isError
    ? drawHeading("error", "failed", t("The tool reports an error"), duration, rounds)
    : drawHeading("check", "done", t("Result"), duration, rounds);
  const words = result.isError
    ? t("The tool reports an error after {duration}.", { duration })
    : t("Done in {duration}.", { duration });
  const element = el(
    "section",
    { class: "result" },
    heading,
    result.isError
      ? el("p", {
          class: "hint",
          text: t("The call itself worked: the server answered, and the answer is that the tool failed."),
        })
      : undefined,
    drawPanels(result, parts),
  );
  return { element, heading, words };
}

function drawPanels(result: ToolResultView, parts: ResultParts): HTMLElement {
  const rawText = (): string => stringifyJson(result.raw, 2);
  const { actions } = parts;
  const panels = el(
    "vscode-panels",
    { attributes: { "aria-label": t("Result") } },
    el("vscode-panel-tab", { id: "tab-result", text: t("Result") }),
    el("vscode-panel-tab", { id: "tab-raw", text: t("Raw") }),
    el(
      "vscode-panel-view",
      { id: "view-result" },
      el("div", { class: "panel-body" }, ...drawContent(result, parts)),
    ),
  );
  const raw = el("div", { class: "panel-body" });
  panels.append(el("vscode-panel-view", { id: "view-raw" }, raw));
  const fillRaw = (): void => {
    if (raw.childElementCount > 0) return;
    raw.append(
      blockHead(
        el("span", { class: "hint", text: t("The whole result") }),
        ...textTools(rawText, "json", actions),
      ),
      createJsonTree(result.raw, t("The whole result as JSON"), actions.copy),
    );
  };
  panels.addEventListener("change", () => {
    if (panels.activeid === "tab-raw") fillRaw();
  });
  return panels;
}

function drawContent(result: ToolResultView, parts: ResultParts): HTMLElement[] {
  const content: HTMLElement[] = [];
  if (result.structuredMissing !== undefined) content.push(notice("warning", result.structuredMissing));
  const { structured } = result;
  if (structured !== undefined) {
    const text = (): string => stringifyJson(structured.value, 2);
    content.push(
      el(
        "div",
        { class: "block" },
        blockHead(el("h3", { text: t("Structured content") }), ...textTools(text, "json", parts.actions)),
        drawCheck(structured.check),
        createJsonTree(structured.value, t("Structured content"), parts.actions.copy),
      ),
    );
  }
  if (structured !== undefined && result.blocks.length > 0) content.push(el("h3", { text: t("Content") }));
  content.push(...result.blocks.map((block) => drawBlock(block, parts.actions, parts.urls)));
  if (content.length === 0) content.push(el("p", { class: "hint", text: t("The result is empty.") }));
  return content;
}

function drawCheck(check: StructuredCheckView): HTMLElement {
  switch (check.kind) {
    case "valid":
      return el(
        "div",
        { class: "verdict verdict-valid" },
        icon("check"),
        t("Matches the tool’s output schema."),
      );
    case "invalid":
      return notice(
        "warning",
        el("div", { text: t("Does not match the tool’s output schema:") }),
        el("ul", {}, ...check.problems.map((problem) => el("li", { text: problem }))),
      );
    case "unchecked":
      return el(
        "div",
        { class: "verdict" },
        icon("question"),
        t("Not checked: {reason}", { reason: check.reason }),
      );
    default:
      return assertNever(check);
  }
}

function drawFailed(
  { problem, cures = [], durationMs }: Extract<ToolRunStatus, { kind: "failed" }>,
  parts: ResultParts,
): DrawnResult {
  const code = problem.rpcCode === undefined ? "" : t("code {code}", { code: problem.rpcCode });
  const heading = drawHeading("error", "failed", t("The call failed"), formatDuration(durationMs), code);
  const { detail } = problem;
  const element = el(
    "section",
    { class: "result" },
    heading,
    el("p", { class: "problem-message", text: problem.message, attributes: { dir: "auto" } }),
    problem.remedy === undefined ? undefined : el("p", { class: "hint", text: problem.remedy }),
    detail === undefined
      ? undefined
      : disclosure(t("Details"), () =>
          el(
            "div",
            { class: "block" },
            blockHead(
              el("span", { class: "hint", text: t("Evidence") }),
              ...textTools(() => detail, "plaintext", parts.actions),
            ),
            el("pre", { class: "block-text", text: detail, attributes: { tabindex: "0" } }),
          ),
        ),
    el(
      "div",
      { class: "block-tools" },
      ...cures.map(({ command, label }) =>
        createButton({
          label,
          onClick: () => {
            parts.cure(command);
          },
        }),
      ),
      createButton({ label: t("Show Server Log"), onClick: parts.showLog }),
    ),
  );
  return { element, heading, words: t("The call failed: {message}", { message: problem.message }) };
}
