import type * as vscode from "vscode";
import { l10n } from "vscode";
import * as z from "zod";
import { createAskingTool, type WantedRequest } from "../chat/lmDataTools.ts";
import type { ChatCallOptions, ChatCallOutcome } from "../chat/callFromChat.ts";
import { skillFromChat } from "../chat/callFromChat.ts";
import { findSkill, type Found } from "../chat/findTarget.ts";
import { badInput } from "../chat/lmAnswers.ts";
import type { ChatServices, LmToolPorts } from "../chat/lmTools.ts";
import { codeSpan } from "../chat/safeMarkdown.ts";

const skillInput = z.object({ server: z.string(), skill: z.string(), file: z.string().optional() });

/** Reads one file of a skill, after the person has allowed it. Nothing that is not verified is given. */
export function createReadSkill(
  services: ChatServices,
  ports: LmToolPorts,
): vscode.LanguageModelTool<unknown> {
  return createAskingTool(services, ports, {
    message: (target) => l10n.t("Reading a skill of {server}", { server: codeSpan(target.serverId) }),
    find: (input) => findSkillRequest(services, input),
  });
}

/** What a model means that wants to read a file of a skill. */
export function findSkillRequest({ pool }: ChatServices, input: unknown): Found<WantedRequest> {
  const parsed = skillInput.safeParse(input);
  if (!parsed.success) return { kind: "unknown", hint: badInput(parsed.error) };
  const { server, skill, file } = parsed.data;
  const found = findSkill(pool.servers(), server, skill, file);
  if (found.kind === "unknown") return found;
  const { target } = found;
  const run = (options: ChatCallOptions): Promise<ChatCallOutcome> => skillFromChat(pool, target, options);
  return { kind: "found", target: { target, args: {}, run } };
}
