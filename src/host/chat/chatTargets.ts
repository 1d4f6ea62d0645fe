import type { ServerEntry } from "../../client/serverPool.ts";
import type { Prompt } from "../../protocol/model/prompt.ts";
import type { Skill } from "../../protocol/model/skill.ts";
import type { ChatTool } from "./chatTools.ts";

/** A resource that chat wants to read. It need not be in a list. */
export interface ChatResource {
  readonly entry: ServerEntry;
  readonly serverId: string;
  readonly uri: string;
}

/** A prompt that chat wants to get. */
export interface ChatPrompt {
  readonly entry: ServerEntry;
  readonly serverId: string;
  readonly prompt: Prompt;
}

/** A file of a skill that chat wants to read. */
export interface ChatSkill {
  readonly entry: ServerEntry;
  readonly serverId: string;
  readonly skill: Skill;
  /** A path or a URI; left out, SKILL.md. */
  readonly file: string | undefined;
}

/** What a person is asked about before chat uses it. */
export type ChatTarget = ApiTarget | ChatSkill;

/** What another extension can ask for too. */
export type ApiTarget = ChatTool | ChatResource | ChatPrompt;

/** The servers whose things chat may see. */
export function visibleServers(servers: readonly ServerEntry[]): readonly ServerEntry[] {
  return servers.filter((entry) => entry.config?.chat === true);
}
