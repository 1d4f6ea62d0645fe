import type { CallOptions, Connection } from "../connection.ts";
import { isJsonObject } from "../../base/json.ts";
import { EngineError } from "../engineError.ts";
import { readListing } from "../lists/readListing.ts";
import type { ListWish } from "../lists/listPages.ts";
import type { Listing } from "../model/listing.ts";
import type { Skill } from "../model/skill.ts";
import { RPC_CODES } from "../rpcError.ts";
import { shorten } from "../shorten.ts";
import { parseSkill } from "./parseSkill.ts";
import { announcesSkills, SKILLS_EXTENSION } from "./skillsExtension.ts";

/**
 * Lists the skills, all pages. No file of a skill is read for it. Rejects when the first page fails.
 *
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension#listing-skills
 */
export async function listSkills(
  connection: Connection,
  signal?: AbortSignal,
  wish?: ListWish,
): Promise<Listing<Skill>> {
  requireSkills(connection, "skills/list");
  const pages = await connection.pages("skills/list", "skills", signal, wish);
  return readListing("skills/list", pages, parseSkill, ({ uri }) => uri);
}

/**
 * Gets the entry of one skill by the URI of its SKILL.md, listed or not.
 *
 * @throws EngineError `no-such-skill`, `invalid-result`, `not-announced`, and as every request does
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension#getting-a-skill
 */
export async function getSkill(connection: Connection, uri: string, options: CallOptions): Promise<Skill> {
  const method = "skills/get";
  requireSkills(connection, method);
  const server = connection.serverName;
  const { result } = await connection.request(method, { uri }, options, (error) =>
    error.rpcCode === RPC_CODES.invalidParams
      ? new EngineError("no-such-skill", { server, skill: shorten(uri) }, { cause: error })
      : error,
  );
  const entry = result["skill"];
  const skill = isJsonObject(entry) ? parseSkill(entry) : "it is not an object";
  if (typeof skill === "string")
    throw new EngineError("invalid-result", { server, method, reason: `the skill cannot be used: ${skill}` });
  if (skill.uri !== uri)
    throw new EngineError("invalid-result", { server, method, reason: "it is about another skill" });
  return skill;
}

/** Nothing of the extension is sent to a server that does not announce it. @throws EngineError `not-announced` */
export function requireSkills({ negotiation, serverName }: Connection, method: string): void {
  if (announcesSkills(negotiation.capabilities)) return;
  throw new EngineError("not-announced", { server: serverName, capability: SKILLS_EXTENSION, method });
}
