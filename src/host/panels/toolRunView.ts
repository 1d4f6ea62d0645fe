import { joinSentences } from "../../base/errors.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { ServerState } from "../../client/serverState.ts";
import { DEFAULT_LIMITS } from "../../protocol/limits.ts";
import type { Tool } from "../../protocol/model/tool.ts";
import { prepareSchema } from "../../protocol/schema/prepareSchema.ts";
import type { CureView, ProblemView, ToolRunStatus, ToolRunView } from "../../shared/toolRunMessages.ts";
import type { Translate } from "../../shared/translate.ts";
import { toolClaims } from "./toolClaims.ts";

/** Everything that decides what the page shows. */
export interface ToolRunFacts {
  readonly target: { readonly serverId: string; readonly toolName: string };
  /** Undefined when the server is no longer in the settings. */
  readonly entry: ServerEntry | undefined;
  /** The tool as it was last listed; undefined when it never was. */
  readonly tool: Tool | undefined;
  readonly arguments: JsonObject;
  readonly run: ToolRunStatus;
}

/** The words of the page, and what it offers. */
export interface ToolRunWords {
  readonly t: Translate;
  readonly describe: (problem: unknown) => ProblemView;
  readonly cures: (problem: unknown) => readonly CureView[];
}

/** What the Tool run page shows for these facts. */
export function viewToolRun(facts: ToolRunFacts, { t, describe, cures }: ToolRunWords): ToolRunView {
  const { target, entry, tool } = facts;
  const notice = whyNot(facts, t, describe);
  return {
    serverId: target.serverId,
    protocol: entry === undefined ? "" : describeProtocol(entry.state, t),
    tool: {
      name: target.toolName,
      displayName: tool?.displayName ?? target.toolName,
      ...(tool?.description === undefined ? {} : { description: tool.description }),
      inputSchema: tool?.inputSchema ?? { type: "object" },
      claims: toolClaims(tool?.annotations, t),
      ...explainUnchecked(facts, t),
    },
    initialArguments: facts.arguments,
    canRun: notice === undefined,
    ...(notice === undefined ? {} : { notice }),
    ...curesOf(entry, cures),
    run: facts.run,
    wanted: entry?.state.kind === "connected" ? entry.state.wanted : [],
  };
}

/** What can be done about a server that is down for a reason. */
function curesOf(
  entry: ServerEntry | undefined,
  cures: ToolRunWords["cures"],
): { readonly noticeCures?: readonly CureView[] } {
  if (entry?.state.kind !== "failed" && entry?.state.kind !== "blocked") return {};
  const noticeCures = cures(entry.state.problem);
  return noticeCures.length === 0 ? {} : { noticeCures };
}

/** Why arguments of the tool are not compared with its schema before a run, if so. */
function explainUnchecked(
  { entry, tool }: ToolRunFacts,
  t: Translate,
): { readonly uncheckedReason?: string } {
  if (tool === undefined) return {};
  const prepared = prepareSchema(tool.inputSchema, entry?.config?.limits ?? DEFAULT_LIMITS);
  if (prepared.kind === "usable") return {};
  return { uncheckedReason: t(prepared.reason.template, prepared.reason.args) };
}

/** How a connected server is spoken to, as in “Modern 2026-07-28”; empty when it is not connected. */
export function describeProtocol(state: ServerState, t: Translate): string {
  if (state.kind !== "connected") return "";
  const { era, revision } = state.negotiation;
  return era === "modern" ? t("Modern {revision}", { revision }) : t("Legacy {revision}", { revision });
}

/** Why the tool cannot be run now, or undefined. */
function whyNot(
  { target, entry, tool }: ToolRunFacts,
  t: Translate,
  describe: (problem: unknown) => ProblemView,
): string | undefined {
  const server = target.serverId;
  if (entry === undefined) return t("“{server}” is no longer in the settings.", { server });
  const { state } = entry;
  switch (state.kind) {
    case "connected":
      return state.catalog.tools.some((one) => one.name === target.toolName) ||
        (tool !== undefined && state.listProblem !== undefined)
        ? undefined
        : missingTool(state, target, t);
    case "disabled":
      return t("“{server}” is disabled in the settings.", { server });
    case "stopped":
      return t("“{server}” is not connected.", { server });
    case "connecting":
      return t("“{server}” is connecting…", { server });
    case "blocked":
    case "failed":
      return sentence(describe(state.problem));
    default:
      return assertNever(state);
  }
}

function missingTool(
  state: Extract<ServerState, { kind: "connected" }>,
  { serverId: server, toolName: tool }: ToolRunFacts["target"],
  t: Translate,
): string {
  const rejected = state.catalog.rejectedTools.find((one) => one.name === tool);
  return rejected === undefined
    ? t("“{server}” does not list the tool “{tool}”.", { server, tool })
    : t("The tool “{tool}” of “{server}” is withheld: {reason}", { server, tool, reason: rejected.reason });
}

function sentence({ message, remedy }: ProblemView): string {
  return joinSentences(message, remedy);
}
