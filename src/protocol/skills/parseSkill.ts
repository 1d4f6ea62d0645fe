import { isJsonObject, type JsonObject, type JsonValue, readAmount } from "../../base/json.ts";
import type { Skill, SkillFile, SkillFlaw } from "../model/skill.ts";
import { shorten } from "../shorten.ts";
import { pathWithin, skillFolderName, skillRoot } from "./skillPath.ts";
import { MAX_SKILL_BYTES, MAX_SKILL_FILES } from "./skillsExtension.ts";

const DIGEST = /^sha256:([0-9a-f]{64})$/;

/**
 * Reads one entry of `skills/list`; a text says why it cannot even be shown. An entry that names a skill and breaks a
 * rule is kept with its flaw, so that a person sees why nothing of it is read.
 *
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension#skill-entries
 */
export function parseSkill(entry: JsonObject): Skill | string {
  const { uri, frontmatter } = entry;
  if (typeof uri !== "string" || uri === "") return "it has no URI";
  if (!isJsonObject(frontmatter)) return "it has no front matter";
  const { name, description } = frontmatter;
  if (typeof name !== "string" || name.trim() === "") return "it has no name";
  const read = readFiles(uri, name, entry["resources"]);
  const flaw: SkillFlaw | undefined =
    typeof description === "string" && description.trim() !== ""
      ? read.flaw
      : invalid("its front matter has no description");
  return {
    uri,
    name,
    description: typeof description === "string" ? description : "",
    frontMatter: frontmatter,
    files: flaw === undefined ? read.files : [],
    ...(flaw !== undefined && { flaw }),
    raw: entry,
  };
}

interface ReadFiles {
  readonly files: readonly SkillFile[];
  readonly flaw?: SkillFlaw;
}

function readFiles(uri: string, name: string, resources: JsonValue | undefined): ReadFiles {
  const root = skillRoot(uri);
  if (root === undefined) return flawed("its URI is not that of a SKILL.md in a folder");
  if (skillFolderName(root) !== name)
    return flawed(`the last part of its folder, “${shorten(root)}”, is not its name`);
  if (resources === "dynamic") return { files: [], flaw: { kind: "dynamic" } };
  if (!Array.isArray(resources)) return flawed("its resources are no list");
  const files = new Map<string, SkillFile>();
  let bytes = 0;
  for (const [index, resource] of (resources as readonly JsonValue[]).entries()) {
    const file = readFile(root, resource);
    if (typeof file === "string") return flawed(`${file} (file ${String(index + 1)})`);
    if (files.has(file.path)) return flawed(`it lists “${shorten(file.path)}” twice`);
    files.set(file.path, file);
    bytes += file.size;
  }
  if (resources.length > MAX_SKILL_FILES || bytes > MAX_SKILL_BYTES)
    return { files: [], flaw: { kind: "too-large", files: resources.length, bytes } };
  const all = [...files.values()];
  return all.some((file) => file.uri === uri) ? { files: all } : flawed("it does not list its SKILL.md");
}

function readFile(root: string, resource: JsonValue): SkillFile | string {
  if (!isJsonObject(resource)) return "a file is not an object";
  const { uri, digest } = resource;
  const size = readAmount(resource["size"]);
  const path = typeof uri === "string" ? pathWithin(root, uri) : undefined;
  if (typeof uri !== "string" || path === undefined) return "a file does not lie in the folder of the skill";
  const sha256 = typeof digest === "string" ? DIGEST.exec(digest)?.[1] : undefined;
  if (sha256 === undefined) return "the digest of a file is no SHA-256 digest";
  if (size === undefined || !Number.isSafeInteger(size) || size < 0) return "a file has no size";
  return { uri, path, sha256, size };
}

function flawed(reason: string): ReadFiles {
  return { files: [], flaw: invalid(reason) };
}

function invalid(reason: string): SkillFlaw {
  return { kind: "invalid", reason };
}
