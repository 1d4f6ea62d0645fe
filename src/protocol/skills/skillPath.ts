/** The file that every skill begins with. */
export const SKILL_FILE = "SKILL.md";

/** A scheme, something that names a place below it, and nothing that is not a path. */
const SKILL_URI = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^?#\\]+\/SKILL\.md$/;
/** What some reader of a path would take for a step on it, or for no character of a name. */
const UNSAFE = /[\\/\u0000-\u001f\u007f]/;

/** The folder of a skill, without a slash at its end; undefined when the URI is not that of a SKILL.md. */
export function skillRoot(uri: string): string | undefined {
  if (!SKILL_URI.test(uri)) return undefined;
  const root = uri.slice(0, -(SKILL_FILE.length + 1));
  const path = root.slice(root.indexOf("://") + 3);
  return decodePath(path) === undefined ? undefined : root;
}

/** The last part of a skill's folder, decoded: the skill has to be named so. */
export function skillFolderName(root: string): string | undefined {
  return decodePath(root.slice(root.lastIndexOf("/") + 1));
}

/** Where a file lies below the folder of its skill, decoded; undefined when it does not lie there. */
export function pathWithin(root: string, uri: string): string | undefined {
  return uri.startsWith(`${root}/`) ? decodePath(uri.slice(root.length + 1)) : undefined;
}

/**
 * The path that a reference in the text of a skill means: relative to the skill's folder, as in a file system.
 * Undefined for absolute ones, for addresses and for those that lead out of the folder.
 */
export function resolveReference(reference: string): string | undefined {
  const path = reference.replace(/^(?:\.\/)+/, "");
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) return undefined;
  // What is no encoded path is meant as it stands.
  return decodePath(path) ?? joinParts(path.split("/"));
}

/** Each part decoded; undefined when it is not a path downwards. */
function decodePath(path: string): string | undefined {
  // Before decoding, these are the end of a path.
  if (/[?#]/.test(path)) return undefined;
  try {
    return joinParts(path.split("/").map((part) => decodeURIComponent(part)));
  } catch {
    return undefined;
  }
}

/** Undefined when a part is empty, stays, steps up, or holds what no name of a file may hold. */
function joinParts(parts: readonly string[]): string | undefined {
  const isDownwards = parts.every(
    (part) => part !== "" && part !== "." && part !== ".." && !UNSAFE.test(part),
  );
  return isDownwards ? parts.join("/") : undefined;
}
