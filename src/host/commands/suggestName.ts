/** Parts of package names and host names that say nothing about which server it is. */
const FILLER = /^(?:mcp|server|modelcontextprotocol|api|www|http|https|com|net|org|io|dev)$/i;

/** Programs that run another one, which is the interesting part. */
const LAUNCHERS = new Set(["npx", "npm", "pnpm", "bunx", "bun", "yarn", "uvx", "uv", "pipx", "node", "python", "python3", "deno", "docker", "podman", "dlx", "exec", "run", "tool", "x", "-y", "--yes", "-m"]);

/** A short name for a server that is started by a command, before the person chooses one. */
export function nameFromCommand(words: readonly string[]): string {
  const isTelling = (word: string): boolean => !word.startsWith("-") && !LAUNCHERS.has(baseName(word).toLowerCase());
  return shorten(baseName(words.find(isTelling) ?? words[0] ?? ""));
}

/** A short name for a server at an address. */
export function nameFromUrl(url: string): string {
  if (!URL.canParse(url)) return "server";
  const { hostname } = new URL(url);
  // An address of numbers has no part that would be a name.
  return /^[\d.]+$|^\[/.test(hostname) ? hostname.replaceAll(/[[\]]/g, "") : shorten(hostname.replaceAll(".", "-"));
}

/** The name itself when it is free, else with the first number that makes it so. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  if (!taken(name)) return name;
  for (let number = 2; ; number += 1) {
    const candidate = `${name}-${String(number)}`;
    if (!taken(candidate)) return candidate;
  }
}

/** The last part of a path or of a scoped package, without version and file extension. */
function baseName(word: string): string {
  const last = word.split(/[/\\]/).at(-1) ?? word;
  return last.replace(/(?<=.)@.*$/, "").replace(/==.*$/, "").replace(/\.(?:m?js|cjs|ts|py|exe|cmd|sh)$/i, "");
}

function shorten(text: string): string {
  const parts = text.split(/[-_.\s]+/).filter((part) => part !== "");
  const telling = parts.filter((part) => !FILLER.test(part));
  return (telling.length > 0 ? telling : parts).join("-").toLowerCase() || "server";
}
