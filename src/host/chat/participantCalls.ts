import * as vscode from "vscode";
import { systemClock } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import type { InputHandler } from "../../protocol/mrtr/inputRequired.ts";
import { findSkillRequest } from "../skills/lmReadSkill.ts";
import type { HostServices } from "../services.ts";
import type { ApprovalChoice, SessionApprovals } from "./approvals.ts";
import { callFromChat } from "./callFromChat.ts";
import { readChatSettings } from "./chatSettings.ts";
import type { ChatTarget } from "./chatTargets.ts";
import type { ToolOffer } from "./chatTools.ts";
import type { KeptCall } from "./conversation.ts";
import { isDataTool, LIST_TOOL, type ReaderName } from "./dataTools.ts";
import { describeListed, findPromptRequest, findResourceRequest } from "./lmDataTools.ts";
import { readModelArguments } from "./modelArguments.ts";
import type { ModelPart } from "./resultForModel.ts";
import { codeSpan } from "./safeMarkdown.ts";
import type { ModelCall } from "./toolLoop.ts";
import { ProgressLines } from "./progressLines.ts";
import { nearNames } from "./toolSearch.ts";

const NOT_ALLOWED = "The user did not allow this call. Do not try it again unless the user asks for it.";

export interface ParticipantPorts {
  readonly approvals: SessionApprovals;
  readonly askApproval: (
    target: ChatTarget,
    args: JsonObject,
    signal: AbortSignal,
  ) => Promise<ApprovalChoice>;
}

/** How what a model wants to read is found. */
const FIND = {
  signalbox_read_resource: findResourceRequest,
  signalbox_get_prompt: findPromptRequest,
  signalbox_read_skill: findSkillRequest,
} as const satisfies Record<ReaderName, unknown>;

/** What one request needs on its way. */
export interface Turn {
  readonly stream: vscode.ChatResponseStream;
  /** What the model was offered last: calls may change what servers have. */
  offer: ToolOffer;
  readonly kept: KeptCall[];
  /** What each server's last call failed with. What to do about it belongs at the end, where the editor folds nothing. */
  readonly problems: Map<string, unknown>;
}

/** Carries out one call of the model: finds the tool, asks, calls, and says what happened. */
export async function carryOut(
  services: HostServices,
  ports: ParticipantPorts,
  turn: Turn,
  call: ModelCall,
  signal: AbortSignal,
): Promise<readonly ModelPart[]> {
  if (isDataTool(call.name)) return carryOutData(services, ports, turn, { ...call, name: call.name }, signal);
  const { stream, offer, kept } = turn;
  const tool = offer.byName.get(call.name);
  if (tool === undefined) return text(unknownTool(call.name, offer));
  const meant = readModelArguments(tool.tool.inputSchema, call.input);
  if (meant.kind === "refused") return text(meant.reason);
  const names = { tool: codeSpan(tool.tool.name), server: codeSpan(tool.serverId) };
  stream.progress(
    vscode.l10n.t("Calling {tool} on {server}", { tool: tool.tool.name, server: tool.serverId }),
  );
  if (!(await mayCall(ports, tool, meant.args, signal))) {
    note(stream, vscode.l10n.t("Not allowed: {tool} on {server}", names));
    return text(NOT_ALLOWED);
  }
  const input = announced(services.inputHandler, stream, tool.serverId);
  const lines = new ProgressLines(systemClock);
  const { parts, failed, problem } = await callFromChat(services.pool, tool, meant.args, {
    signal,
    input,
    maxResultBytes: readChatSettings().maxResultBytes,
    onProgress: (progress) => {
      const words = lines.next(progress);
      if (words !== undefined)
        stream.progress(
          vscode.l10n.t("{server} says: {words}", { server: tool.serverId, words: codeSpan(words) }),
        );
    },
  });
  note(
    stream,
    failed
      ? vscode.l10n.t("{tool} on {server} failed", names)
      : vscode.l10n.t("Called {tool} on {server}", names),
  );
  turn.problems.set(tool.serverId, problem);
  kept.push({ server: tool.serverId, tool: tool.tool.name, result: describeParts(parts) });
  return parts;
}

/** The same for what a model wants to read. Looking at the lists needs no consent, as nothing is asked of a server. */
async function carryOutData(
  services: HostServices,
  ports: ParticipantPorts,
  { stream, kept, problems }: Turn,
  call: ModelCall & { readonly name: ReaderName | typeof LIST_TOOL },
  signal: AbortSignal,
): Promise<readonly ModelPart[]> {
  if (call.name === LIST_TOOL) return text(describeListed(services, call.input));
  const found = FIND[call.name](services, call.input);
  if (found.kind === "unknown") return text(found.hint);
  const { target, args, run } = found.target;
  const names = { what: codeSpan(nameOf(target)), server: codeSpan(target.serverId) };
  stream.progress(
    vscode.l10n.t("Reading {what} of {server}", { what: nameOf(target), server: target.serverId }),
  );
  if (!(await mayCall(ports, target, args, signal))) {
    note(stream, vscode.l10n.t("Not allowed: {what} of {server}", names));
    return text(NOT_ALLOWED);
  }
  const input = announced(services.inputHandler, stream, target.serverId);
  const { parts, failed, problem } = await run({
    signal,
    input,
    maxResultBytes: readChatSettings().maxResultBytes,
  });
  note(
    stream,
    failed
      ? vscode.l10n.t("{what} of {server} could not be read", names)
      : vscode.l10n.t("Read {what} of {server}", names),
  );
  problems.set(target.serverId, problem);
  kept.push({ server: target.serverId, tool: call.name, result: describeParts(parts) });
  return parts;
}

function nameOf(target: ChatTarget): string {
  if ("tool" in target) return target.tool.name;
  if ("skill" in target) return target.file ?? target.skill.name;
  return "uri" in target ? target.uri : target.prompt.name;
}

function describeParts(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : `[image, ${part.mimeType}]`)).join("\n");
}

/** The window's handler, with a word in chat whenever a person is asked. */
export function announced(
  handler: InputHandler,
  stream: vscode.ChatResponseStream,
  server: string,
): InputHandler {
  return {
    modes: handler.modes,
    handle: (round, signal) => {
      stream.progress(
        vscode.l10n.t("{server} asks for your input. Answer in the Input Request panel.", { server }),
      );
      return handler.handle(round, signal);
    },
  };
}

async function mayCall(
  { approvals, askApproval }: ParticipantPorts,
  target: ChatTarget,
  args: JsonObject,
  signal: AbortSignal,
): Promise<boolean> {
  if (approvals.allows(target)) return true;
  const choice = await askApproval(target, args, signal);
  if (choice === "session") approvals.allow(target);
  return choice !== "deny";
}

function unknownTool(name: string, offer: ToolOffer): string {
  const near = nearNames(
    name,
    offer.tools.map((tool) => tool.name),
  );
  const hint = near.length === 0 ? "" : ` Near names: ${near.join(", ")}.`;
  return `There is no tool ${JSON.stringify(name)}. Nothing was called.${hint}`;
}

function text(value: string): readonly ModelPart[] {
  return [{ kind: "text", text: value }];
}

/** Writes a line of our own beside what a server or a model says. */
export function note(stream: vscode.ChatResponseStream, markdown: string): void {
  stream.markdown(new vscode.MarkdownString(`\n\n> ${markdown}\n\n`));
}
