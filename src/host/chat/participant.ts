import * as vscode from "vscode";
import { errorText } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import type { InputHandler } from "../../protocol/mrtr/inputRequired.ts";
import { withTokenSignal } from "../cancellation.ts";
import type { HostServices } from "../services.ts";
import type { ApprovalChoice, SessionApprovals } from "./approvals.ts";
import { callFromChat } from "./callFromChat.ts";
import { connectModel } from "./chatModel.ts";
import { readChatSettings } from "./chatSettings.ts";
import type { ChatTarget } from "./chatTargets.ts";
import { type ChatTool, listChatTools, offerTools, type ToolOffer } from "./chatTools.ts";
import { introduce, keepCalls, type KeptCall, recall } from "./conversation.ts";
import { listServers, listTools, writeLeftOut, writeNothingConnected } from "./participantTexts.ts";
import { readModelArguments } from "./modelArguments.ts";
import { readHistory, readReferences } from "./readRequest.ts";
import { type GivenContent, readContent } from "./participantContent.ts";
import type { ModelPart } from "./resultForModel.ts";
import { codeSpan } from "./safeMarkdown.ts";
import { type LoopEnd, type ModelCall, runToolLoop } from "./toolLoop.ts";
import { nearNames } from "./toolSearch.ts";

const CALLS_PER_ROUND = 16;

export interface ParticipantPorts {
  readonly approvals: SessionApprovals;
  readonly askApproval: (
    target: ChatTarget,
    args: JsonObject,
    signal: AbortSignal,
  ) => Promise<ApprovalChoice>;
}

/** What one request needs on its way. */
interface Turn {
  readonly stream: vscode.ChatResponseStream;
  /** What the model was offered last: calls may change what servers have. */
  offer: ToolOffer;
  readonly kept: KeptCall[];
}

/** Answers requests to `@signalbox` with a tool loop of its own over the exact tools of the connected servers. */
export function createParticipantHandler(
  services: HostServices,
  ports: ParticipantPorts,
): vscode.ChatRequestHandler {
  return async (request, context, stream, token) => {
    const servers = services.pool.servers();
    const tools = listChatTools(servers);
    if (request.command === "servers") {
      listServers(stream, servers);
      return {};
    }
    if (request.command === "tools") {
      listTools(stream, tools, servers);
      return {};
    }
    const { command } = request;
    if (command === "prompt" || command === "resource") {
      return withTokenSignal(token, async (signal) => {
        const input = (server: string): InputHandler => announced(services.inputHandler, stream, server);
        const wanted = { command, text: request.prompt, stream, input, signal } as const;
        const given = await readContent(services, wanted);
        if (given === undefined) return {};
        return answerRequest(services, ports, { request, context, stream, tools, signal, given });
      });
    }
    if (tools.length === 0) {
      writeNothingConnected(stream, servers);
      return {};
    }
    return withTokenSignal(token, (signal) =>
      answerRequest(services, ports, { request, context, stream, tools, signal }),
    );
  };
}

interface RequestParts {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly tools: readonly ChatTool[];
  readonly signal: AbortSignal;
  /** What a command brought, in place of the person's own words. */
  readonly given?: GivenContent;
}

async function answerRequest(
  services: HostServices,
  ports: ParticipantPorts,
  { request, context, stream, tools, signal, given }: RequestParts,
): Promise<vscode.ChatResult> {
  // Declared as always there, but missing in editors without any model provider.
  const model = request.model as vscode.LanguageModelChat | undefined;
  if (model === undefined) {
    return failure(
      vscode.l10n.t(
        "There is no language model. Install an extension that provides one, or sign in to one, and choose it in the chat view.",
      ),
    );
  }
  const offer = offerTools(tools);
  writeLeftOut(stream, offer.leftOut);
  const turn: Turn = { stream, offer, kept: given === undefined ? [] : [given.kept] };
  const used = services.pool.servers().filter((entry) => tools.some((one) => one.serverId === entry.id));
  const messages = [
    introduce(used),
    ...recall(readHistory(context.history)),
    {
      role: "user" as const,
      text: [given?.text ?? request.prompt, ...(await readReferences(request.references))].join("\n\n"),
    },
  ];
  const rounds = readChatSettings().maxToolRounds;
  try {
    const end = await runToolLoop(
      messages,
      {
        send: async function* (conversation, ending) {
          await services.pool.toolsSettled(ending);
          turn.offer = offerTools(listChatTools(services.pool.servers()));
          yield* connectModel(model, turn.offer.tools)(conversation, ending);
        },
        write: (text) => {
          stream.markdown(text);
        },
        call: (call, ending) => carryOut(services, ports, turn, call, ending),
      },
      { rounds, callsPerRound: CALLS_PER_ROUND },
      signal,
    );
    writeEnd(stream, end, rounds);
    return { metadata: { calls: keepCalls(turn.kept) } };
  } catch (error) {
    // The person ended it and sees that; the calls that were made are still part of the conversation.
    const metadata = { calls: keepCalls(turn.kept) };
    return signal.aborted ? { metadata } : { ...failure(describeModelError(error)), metadata };
  }
}

/** Carries out one call of the model: finds the tool, asks, calls, and says what happened. */
async function carryOut(
  services: HostServices,
  ports: ParticipantPorts,
  turn: Turn,
  call: ModelCall,
  signal: AbortSignal,
): Promise<readonly ModelPart[]> {
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
    return text("The user did not allow this call. Do not try it again unless the user asks for it.");
  }
  const input = announced(services.inputHandler, stream, tool.serverId);
  const { parts, failed } = await callFromChat(services.pool, tool, meant.args, {
    signal,
    input,
    maxResultBytes: readChatSettings().maxResultBytes,
  });
  note(
    stream,
    failed
      ? vscode.l10n.t("{tool} on {server} failed", names)
      : vscode.l10n.t("Called {tool} on {server}", names),
  );
  const result = parts
    .map((part) => (part.kind === "text" ? part.text : `[image, ${part.mimeType}]`))
    .join("\n");
  kept.push({ server: tool.serverId, tool: tool.tool.name, result });
  return parts;
}

/** The window's handler, with a word in chat whenever a person is asked. */
function announced(handler: InputHandler, stream: vscode.ChatResponseStream, server: string): InputHandler {
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
  tool: ChatTool,
  args: JsonObject,
  signal: AbortSignal,
): Promise<boolean> {
  if (approvals.allows(tool)) return true;
  const choice = await askApproval(tool, args, signal);
  if (choice === "session") approvals.allow(tool);
  return choice !== "deny";
}

function unknownTool(name: string, offer: ToolOffer): string {
  const near = nearNames(name, [...offer.byName.keys()]);
  const hint = near.length === 0 ? "" : ` Near names: ${near.join(", ")}.`;
  return `There is no tool ${JSON.stringify(name)}. Nothing was called.${hint}`;
}

function text(value: string): readonly ModelPart[] {
  return [{ kind: "text", text: value }];
}

function note(stream: vscode.ChatResponseStream, markdown: string): void {
  stream.markdown(new vscode.MarkdownString(`\n\n> ${markdown}\n\n`));
}

function writeEnd(stream: vscode.ChatResponseStream, end: LoopEnd, rounds: number): void {
  if (end === "done") return;
  note(
    stream,
    vscode.l10n.t(
      "Stopped after {rounds} rounds of tool calls, the limit in “signalbox.chat.maxToolRounds”. Write “continue” to go on.",
      {
        rounds,
      },
    ),
  );
}

function failure(message: string): vscode.ChatResult {
  return { errorDetails: { message } };
}

function describeModelError(error: unknown): string {
  if (error instanceof vscode.LanguageModelError) {
    return vscode.l10n.t("The language model refused or failed: {reason}", { reason: error.message });
  }
  return vscode.l10n.t("The request could not be finished: {reason}", { reason: errorText(error) });
}
