import * as vscode from "vscode";
import { errorText } from "../../base/errors.ts";
import type { InputHandler } from "../../protocol/mrtr/inputRequired.ts";
import { writeCures } from "../auth/writeCures.ts";
import { withTokenSignal } from "../cancellation.ts";
import type { HostServices } from "../services.ts";
import { connectModel } from "./chatModel.ts";
import { readChatSettings } from "./chatSettings.ts";
import { visibleServers } from "./chatTargets.ts";
import { listChatTools, MAX_TOOLS, type ModelTool, offerTools, type ToolOffer } from "./chatTools.ts";
import { introduce, keepCalls, recall } from "./conversation.ts";
import { offerDataTools, readDataTools } from "./dataTools.ts";
import { announced, carryOut, note, type ParticipantPorts, type Turn } from "./participantCalls.ts";
import { type GivenContent, readContent } from "./participantContent.ts";
import { listServers, listTools, writeLeftOut, writeNothingConnected } from "./participantTexts.ts";
import { readHistory, readReferences } from "./readRequest.ts";
import { type LoopEnd, runToolLoop } from "./toolLoop.ts";

const CALLS_PER_ROUND = 16;

/** Answers requests to `@signalbox` with a tool loop of its own over the exact tools of the connected servers. */
export function createParticipantHandler(
  services: HostServices,
  ports: ParticipantPorts,
): vscode.ChatRequestHandler {
  const definitions = readDataTools(services.context.extension.packageJSON);
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
        return answerRequest(services, ports, { request, context, stream, definitions, signal, given });
      });
    }
    if (tools.length === 0 && offerDataTools(definitions, servers).length === 0) {
      writeNothingConnected(stream, servers);
      return {};
    }
    return withTokenSignal(token, (signal) =>
      answerRequest(services, ports, { request, context, stream, definitions, signal }),
    );
  };
}

interface RequestParts {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  /** The tools with which a model reads what servers have. */
  readonly definitions: readonly ModelTool[];
  readonly signal: AbortSignal;
  /** What a command brought, in place of the person's own words. */
  readonly given?: GivenContent;
}

async function answerRequest(
  services: HostServices,
  ports: ParticipantPorts,
  { request, context, stream, definitions, signal, given }: RequestParts,
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
  const turn: Turn = {
    stream,
    offer: offerAll(services, definitions),
    kept: given === undefined ? [] : [given.kept],
    problems: new Map(),
  };
  writeLeftOut(stream, turn.offer.leftOut);
  const messages = [
    introduce(visibleServers(services.pool.servers())),
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
          turn.offer = offerAll(services, definitions);
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
    writeProblems(turn);
    return { metadata: { calls: keepCalls(turn.kept) } };
  } catch (error) {
    // The person ended it and sees that; the calls that were made are still part of the conversation.
    const metadata = { calls: keepCalls(turn.kept) };
    if (!signal.aborted) writeProblems(turn);
    return signal.aborted ? { metadata } : { ...failure(describeModelError(error)), metadata };
  }
}

/** The tools of all servers, and with what remains of the ceiling those that read. */
function offerAll({ pool }: HostServices, definitions: readonly ModelTool[]): ToolOffer {
  const servers = pool.servers();
  const data = offerDataTools(definitions, servers);
  const offer = offerTools(listChatTools(servers), MAX_TOOLS - data.length);
  return { ...offer, tools: [...offer.tools, ...data] };
}

/** What can be done about the servers that are left with a problem. A later call may have gone well. */
function writeProblems({ stream, problems }: Turn): void {
  for (const [server, problem] of problems) writeCures(stream, problem, server);
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
