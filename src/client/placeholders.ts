/** The placeholders that any string of a server's definition may hold. */
export type Placeholder =
  | { readonly kind: "workspaceFolder"; readonly name: string | undefined; readonly text: string }
  | { readonly kind: "userHome" | "nodePath" | "extensionPath"; readonly text: string }
  | { readonly kind: "env" | "secret" | "input" | "config"; readonly name: string; readonly text: string };

/** A piece of a string: text that stays as it is, or a placeholder. */
export type TextPart = { readonly kind: "text"; readonly text: string } | Placeholder;

const CANDIDATE = /\$\{([A-Za-z]+)(?::([^{}]*))?\}/g;
/** Variables of VS Code and other clients that people expect to work here, but do not. */
const FOREIGN =
  /\$\{(?:command|file|fileBasename|fileDirname|relativeFile|lineNumber|selectedText|execPath|pathSeparator|cwd|workspaceRoot|workspaceFolderBasename|promptString|PLUGIN_ROOT|CLAUDE_PLUGIN_ROOT)(?::[^{}]*)?\}|\$\{\/\}/g;

/** Cuts a string into text and placeholders. Joined again, the parts give the string exactly. */
export function parsePlaceholders(source: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of source.matchAll(CANDIDATE)) {
    const placeholder = toPlaceholder(match[0], match[1] ?? "", match[2]);
    if (placeholder === undefined) continue;
    if (match.index > end) parts.push({ kind: "text", text: source.slice(end, match.index) });
    parts.push(placeholder);
    end = match.index + match[0].length;
  }
  if (end < source.length) parts.push({ kind: "text", text: source.slice(end) });
  return parts;
}

function toPlaceholder(text: string, kind: string, argument: string | undefined): Placeholder | undefined {
  const name = argument?.trim();
  switch (kind) {
    case "workspaceFolder":
      return name === "" ? undefined : { kind, name, text };
    case "userHome":
    case "nodePath":
    case "extensionPath":
      return name === undefined ? { kind, text } : undefined;
    case "env":
    case "secret":
    case "input":
    case "config":
      return name === undefined || name === "" ? undefined : { kind, name, text };
    default:
      return undefined;
  }
}

/** True when the string holds at least one placeholder. */
export function hasPlaceholder(source: string): boolean {
  return parsePlaceholders(source).some((part) => part.kind !== "text");
}

/** Pieces that were probably meant as placeholders but are none: `${env:}`, `${command:pick}`. They stay as they are. */
export function findFalsePlaceholders(source: string): readonly string[] {
  const malformed = [...source.matchAll(CANDIDATE)]
    .filter(
      ([text, kind = "", argument]) => KINDS.has(kind) && toPlaceholder(text, kind, argument) === undefined,
    )
    .map(([text]) => text);
  return [...new Set([...malformed, ...(source.match(FOREIGN) ?? [])])];
}

const KINDS: ReadonlySet<string> = new Set([
  "workspaceFolder",
  "userHome",
  "nodePath",
  "extensionPath",
  "env",
  "secret",
  "input",
  "config",
] satisfies Placeholder["kind"][]);
