import * as vscode from "vscode";
import * as z from "zod";
import type { JsonObject } from "../../base/json.ts";
import { withTokenSignal } from "../cancellation.ts";
import { translate } from "../wording.ts";
import { type ChatCallOptions, type ChatCallOutcome, promptFromChat, readFromChat } from "./callFromChat.ts";
import { chatQuestion } from "./callQuestion.ts";
import { readChatSettings } from "./chatSettings.ts";
import type { ChatTarget } from "./chatTargets.ts";
import { findPrompt, findResource, type Found } from "./findTarget.ts";
import { listForModel } from "./listedForModel.ts";
import { answer, answerParts, badInput, BYTES_PER_TOKEN, DENIED } from "./lmAnswers.ts";
import { skillOfResource } from "../skills/skillsOf.ts";
import type { ChatServices, LmToolPorts } from "./lmTools.ts";
import { DATA_NOTE } from "./resultForModel.ts";
import { codeSpan } from "./safeMarkdown.ts";

const listInput = z.object({
  query: z.string().default(""),
  server: z.string().optional(),
  kind: z.enum(["resources", "templates", "prompts", "skills"]).optional(),
});
const readInput = z.object({ server: z.string(), uri: z.string() });
const promptInput = z.object({
  server: z.string(),
  prompt: z.string(),
  arguments: z.record(z.string(), z.string()).default({}),
});

/** Lists what there is to read. Nothing is asked of a server, so nobody is asked either. */
export function createListResources({ pool }: Pick<ChatServices, "pool">): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation: () => ({
      invocationMessage: vscode.l10n.t("Looking for resources and prompts of MCP servers"),
    }),
    invoke: ({ input }) => answer(describeListed({ pool }, input)),
  };
}

/** What there is to read, as words for the model that asks. */
export function describeListed({ pool }: Pick<ChatServices, "pool">, input: unknown): string {
  const parsed = listInput.safeParse(input);
  return parsed.success ? listForModel(pool.servers(), parsed.data) : badInput(parsed.error);
}

/** Reads one resource, after the person has allowed it. */
export function createReadResource(
  services: ChatServices,
  ports: LmToolPorts,
): vscode.LanguageModelTool<unknown> {
  return createAskingTool(services, ports, {
    message: (target) =>
      vscode.l10n.t("Reading a resource of {server}", { server: codeSpan(target.serverId) }),
    find: (input) => findResourceRequest(services, input),
  });
}

/** What a model means that wants to read a resource. */
export function findResourceRequest({ pool }: ChatServices, input: unknown): Found<WantedRequest> {
  const parsed = readInput.safeParse(input);
  if (!parsed.success) return { kind: "unknown", hint: badInput(parsed.error) };
  const { server, uri } = parsed.data;
  const skill = skillOfResource(pool.get(server), uri);
  if (skill !== undefined) {
    const hint = `${JSON.stringify(uri)} belongs to a skill. Nothing was read. Use signalbox_read_skill with the skill ${JSON.stringify(skill.skill)} and this file.`;
    return { kind: "unknown", hint };
  }
  const found = findResource(pool.servers(), server, uri);
  if (found.kind === "unknown") return found;
  const { target } = found;
  const run = (options: ChatCallOptions): Promise<ChatCallOutcome> => readFromChat(pool, target, options);
  return { kind: "found", target: { target, args: {}, run } };
}

/** Gets one prompt, after the person has allowed it. */
export function createGetPrompt(
  services: ChatServices,
  ports: LmToolPorts,
): vscode.LanguageModelTool<unknown> {
  return createAskingTool(services, ports, {
    message: (target) => vscode.l10n.t("Getting a prompt of {server}", { server: codeSpan(target.serverId) }),
    find: (input) => findPromptRequest(services, input),
  });
}

/** What a model means that wants to get a prompt. */
export function findPromptRequest({ pool }: ChatServices, input: unknown): Found<WantedRequest> {
  const parsed = promptInput.safeParse(input);
  if (!parsed.success) return { kind: "unknown", hint: badInput(parsed.error) };
  const { server, prompt, arguments: args } = parsed.data;
  const found = findPrompt(pool.servers(), server, prompt);
  if (found.kind === "unknown") return found;
  const { target } = found;
  const head = [
    `The prompt ${JSON.stringify(prompt)} of the MCP server ${JSON.stringify(server)}.`,
    DATA_NOTE,
  ];
  const run = (options: ChatCallOptions): Promise<ChatCallOutcome> =>
    promptFromChat(pool, target, { args, head }, options);
  return { kind: "found", target: { target, args, run } };
}

/** A request that a model wants to make, as it is asked about and made. */
export interface WantedRequest {
  readonly target: ChatTarget;
  readonly args: JsonObject;
  readonly run: (options: ChatCallOptions) => Promise<ChatCallOutcome>;
}

interface AskingTool {
  /** What is shown while it is under way, as Markdown. */
  readonly message: (target: ChatTarget) => string;
  readonly find: (input: unknown) => Found<WantedRequest>;
}

/** A tool whose every use is confirmed: what was shown is carried out, and anything else is asked about anew. */
export function createAskingTool(
  services: ChatServices,
  ports: LmToolPorts,
  { message, find }: AskingTool,
): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation({ input }) {
      const found = find(input);
      // What cannot be done needs no consent: it is answered with what is wrong.
      if (found.kind === "unknown") return { invocationMessage: vscode.l10n.t("Checking a request") };
      const { target, args } = found.target;
      ports.shown.note(target, args);
      const { title, body } = chatQuestion(target, args, translate);
      return {
        invocationMessage: new vscode.MarkdownString(message(target)),
        confirmationMessages: { title, message: new vscode.MarkdownString(body) },
      };
    },
    async invoke({ input, tokenizationOptions }, token) {
      const found = find(input);
      if (found.kind === "unknown") return answer(found.hint);
      const { target, args, run } = found.target;
      return withTokenSignal(token, async (signal) => {
        signal.throwIfAborted();
        if (!ports.shown.take(target, args) && (await ports.askApproval(target, args, signal)) === "deny")
          return answer(DENIED);
        const tokens = tokenizationOptions?.tokenBudget ?? Number.POSITIVE_INFINITY;
        const maxResultBytes = Math.min(readChatSettings().maxResultBytes, tokens * BYTES_PER_TOKEN);
        const { parts, problem } = await run({ signal, input: services.inputHandler, maxResultBytes });
        ports.offerCures(problem, target.serverId);
        return answerParts(parts);
      });
    },
  };
}
