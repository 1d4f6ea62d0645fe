const FALLBACK = "server";

/** A short name for a server from its address: the part of the host that says whose it is. */
export function nameFromUrl(url: string): string {
  if (!URL.canParse(url)) return FALLBACK;
  const { hostname, port } = new URL(url);
  if (hostname === "localhost" || /^[\d.]+$|^\[/.test(hostname))
    return port === "" ? "localhost" : `localhost-${port}`;
  const labels = hostname.split(".").filter((label) => !/^(?:www|mcp|api|server|remote)$/.test(label));
  return clean(labels[0] ?? hostname);
}

/** Words that say how a package is run, not what it is. */
const RUNNERS =
  /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|node|deno|tsx|ts-node|uvx?|uv|pipx|python[\d.]*|py|docker|podman|nerdctl|dotnet|dnx|java|go|cargo|cmd|powershell|pwsh|sh|bash|zsh|exec|run|dlx|x|start|tool|--from|-m|-jar|\/c)(?:\.exe|\.cmd)?$/i;
/** Options whose value must not be taken for the package. */
const VALUE_OPTION =
  /^(?:-e|--env|-v|--volume|--mount|--name|--network|-p|--publish|--entrypoint|-w|--directory|--python|--with|--env-file|-u|--user)$/;

/** A short name for a server from its command line: the package, the image or the script. */
export function nameFromCommand(words: readonly string[]): string {
  for (let position = 0; position < words.length; position += 1) {
    const word = words[position] ?? "";
    if (VALUE_OPTION.test(word)) position += 1;
    else if (!word.startsWith("-") && !RUNNERS.test(baseName(word))) return clean(nameOfPackage(word));
  }
  return clean(baseName(words[0] ?? ""));
}

function nameOfPackage(word: string): string {
  const plain = word
    .replace(/^git\+|\.git$/g, "")
    .replace(/(?<=.)@[^/]*$/, "")
    .replace(/(?<=\/[^/]+):[\w.-]+$/, "")
    .replace(/[[=<>~].*$/, "");
  const name = baseName(plain).replace(/\.(?:[cm]?[jt]s|py|jar|exe|dll|sh)$/i, "");
  // `dist/index.js` says nothing; the folder above it does.
  if (/^(?:index|main|server|cli|app|__main__|dist|build|src)$/i.test(name)) {
    const parent = plain.split(/[/\\]/).slice(0, -1).join("/");
    return parent === "" || /^[.~]*$/.test(parent) ? name : nameOfPackage(parent);
  }
  return name
    .replace(/^(?:mcp[-_]server[-_]|server[-_]mcp[-_]|server[-_]|mcp[-_])/i, "")
    .replace(/[-_](?:mcp[-_]server|server[-_]mcp|mcp|server)$/i, "");
}

function baseName(path: string): string {
  return (
    path
      .split(/[/\\]/)
      .filter((part) => part !== "")
      .at(-1) ?? path
  );
}

function clean(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replaceAll(/^[-.]+|[-.]+$/g, "");
  return plain === "" ? FALLBACK : plain.slice(0, 60);
}
