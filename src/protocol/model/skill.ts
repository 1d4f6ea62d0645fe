import type { JsonObject } from "../../base/json.ts";

/** One file of a skill, as the entry of the skill announces it. */
export interface SkillFile {
  /** Its URI: a name for the server, never opened on this machine. */
  readonly uri: string;
  /** Below the folder of the skill, decoded, with `/` between names: what people and instructions call it. */
  readonly path: string;
  /** SHA-256 of the exact bytes, as 64 lowercase hexadecimal digits. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * One skill as the server lists it. A name is a label: a skill is told from others by its server and its URI.
 *
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension
 */
export interface Skill {
  /** The URI of its SKILL.md. */
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  /** Everything that the front matter of SKILL.md is said to hold. Nothing in it is obeyed. */
  readonly frontMatter: JsonObject;
  /** All files, SKILL.md among them; empty where `flaw` says why none can be read. */
  readonly files: readonly SkillFile[];
  /** Why nothing of the skill is read, whatever its content; undefined when there is no such reason. */
  readonly flaw?: SkillFlaw;
  /** The whole entry of the list. */
  readonly raw: JsonObject;
}

/** What is wrong with the entry of a skill. */
export type SkillFlaw =
  /** The server makes the content anew each time, so that it cannot be compared with anything. */
  | { readonly kind: "dynamic" }
  /** More files or bytes than the extension lets a skill have. */
  | { readonly kind: "too-large"; readonly files: number; readonly bytes: number }
  /** It breaks a rule of the extension; an English sentence without its end. */
  | { readonly kind: "invalid"; readonly reason: string };

/** A file of a skill whose bytes are those that its entry announces. That makes it consistent, not trustworthy. */
export interface VerifiedFile {
  readonly skill: Skill;
  readonly file: SkillFile;
  readonly bytes: Uint8Array;
  /** The bytes as text; undefined when they are not UTF-8. */
  readonly text: string | undefined;
  /** As the server names it. */
  readonly mimeType: string | undefined;
}
