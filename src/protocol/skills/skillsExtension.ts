import { isJsonObject } from "../../base/json.ts";
import type { ServerCapabilities } from "../model/server.ts";

/** The name of the extension in the capabilities of both sides. */
export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

/** What one skill may have: the extension's limits, which every host has to support. */
export const MAX_SKILL_FILES = 512;
export const MAX_SKILL_BYTES = 16 * 1024 * 1024;

/** Whether a server says that it has skills. Nothing of the extension is sent to one that does not. */
export function announcesSkills({ extensions }: ServerCapabilities): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[SKILLS_EXTENSION]);
}
