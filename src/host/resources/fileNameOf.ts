import { oneLine } from "../serverText.ts";
import { extensionOfType } from "./mediaTypes.ts";

/** What a name for a resource is made of: all of it the server's words. */
export interface NamedResource {
  readonly uri: string;
  /** The name for people, where the server lists one. */
  readonly displayName?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Characters of a file name, without its end. */
const MAX_NAME = 80;
/** What some file system or the editor would take for more than a character of a name. */
const UNSAFE = /[/\\:*?"<>|%#$]+/g;
const EXTENSION = /\.([A-Za-z0-9]{1,10})$/;

/**
 * A harmless file name for a resource, for the tab and for saving. It is a name alone, never a path: nothing in it
 * leads anywhere.
 */
export function fileNameOf({ uri, displayName, mimeType }: NamedResource): string {
  const last = lastSegment(uri);
  const extension = extensionOfType(mimeType) ?? EXTENSION.exec(last)?.[1] ?? "txt";
  const base = cleanName(displayName ?? last) || cleanName(last) || "resource";
  const given = EXTENSION.exec(base)?.[1]?.toLowerCase();
  // A type of which the name already has some usual end needs no second one.
  const ends =
    given !== undefined && (given === extension || EXTENSION.exec(last)?.[1]?.toLowerCase() === given);
  return ends ? base : `${base}.${extension}`;
}

function cleanName(text: string): string {
  const plain = oneLine(text.replaceAll(UNSAFE, "-"), 1_000);
  const trimmed = plain.replace(/^[\s.-]+|[\s.-]+$/g, "");
  if (trimmed.length <= MAX_NAME) return trimmed;
  const extension = EXTENSION.exec(trimmed)?.[0] ?? "";
  return `${trimmed.slice(0, MAX_NAME - extension.length)}${extension}`;
}

function lastSegment(uri: string): string {
  const path = uri.replace(/[?#].*$/s, "").replace(/\/+$/, "");
  const last = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
