import type { CallOptions, Connection } from "../connection.ts";
import { EngineError } from "../engineError.ts";
import type { CacheNote } from "../model/cached.ts";
import type { Skill, SkillFile, VerifiedFile } from "../model/skill.ts";
import { readResource } from "../resources/readResource.ts";
import { shorten } from "../shorten.ts";
import { findDifference, readFrontMatter } from "./frontMatter.ts";
import { decodeText, type Verdict, verifyFile } from "./verifyFile.ts";

/** A verified file, and how it was read. */
export interface SkillAnswer {
  readonly result: VerifiedFile;
  readonly rounds: number;
  readonly fromCache?: CacheNote;
}

/** Errors that say that a skill is not what its entry announces. Nothing more of it is read after one of them. */
export const SKILL_REFUSALS: ReadonlySet<string> = new Set([
  "skill-unreadable",
  "skill-size",
  "skill-digest",
  "skill-front-matter",
]);

/**
 * Reads one file of a skill and gives it only when it is what the entry announces: size, SHA-256 digest and, for
 * SKILL.md, each field of its front matter. What does not fit is thrown away.
 *
 * @throws EngineError with a code of `SKILL_REFUSALS`, and as `readResource` does
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension#integrity-and-verification
 */
export async function readSkillFile(
  connection: Connection,
  skill: Skill,
  file: SkillFile,
  options: CallOptions,
): Promise<SkillAnswer> {
  const server = connection.serverName;
  let answer = await readResource(connection, file.uri, options);
  let verdict = verifyFile(file, answer.result.contents);
  // A copy that was kept may only be older than the entry; the server's own answer decides.
  if (verdict.kind !== "verified" && answer.fromCache !== undefined && options.fresh !== true) {
    answer = await readResource(connection, file.uri, { ...options, fresh: true });
    verdict = verifyFile(file, answer.result.contents);
  }
  if (verdict.kind !== "verified") throw mismatch(verdict, skill, file, server);
  const { bytes, mimeType } = verdict;
  const text = decodeText(bytes);
  if (file.uri === skill.uri) checkFrontMatter(skill, file, text, server);
  const { rounds, fromCache } = answer;
  return {
    result: { skill, file, bytes, text, mimeType },
    rounds,
    ...(fromCache !== undefined && { fromCache }),
  };
}

function mismatch(
  verdict: Exclude<Verdict, { readonly kind: "verified" }>,
  { name }: Skill,
  { path, size }: SkillFile,
  server: string,
): EngineError {
  const what = { server, skill: shorten(name), file: shorten(path) };
  switch (verdict.kind) {
    case "size":
      return new EngineError("skill-size", { ...what, actual: verdict.actual, size });
    case "digest":
      return new EngineError("skill-digest", what);
    case "unreadable":
      return new EngineError("skill-unreadable", { ...what, reason: verdict.reason });
  }
}

function checkFrontMatter(skill: Skill, { path }: SkillFile, text: string | undefined, server: string): void {
  const what = { server, skill: shorten(skill.name), file: shorten(path) };
  const front =
    text === undefined ? ({ kind: "broken", reason: "it is not UTF-8" } as const) : readFrontMatter(text);
  if (front.kind === "broken") throw new EngineError("skill-unreadable", { ...what, reason: front.reason });
  const field = findDifference(front.value, skill.frontMatter);
  if (field !== undefined) throw new EngineError("skill-front-matter", { ...what, field: shorten(field) });
}
