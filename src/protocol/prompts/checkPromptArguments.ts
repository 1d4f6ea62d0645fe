import { EngineError } from "../engineError.ts";
import type { Prompt } from "../model/prompt.ts";
import { shorten } from "../shorten.ts";

/**
 * Checks arguments before a prompt is asked for: each required one is there, and each is a text. An empty text is a
 * value. Arguments that the prompt does not declare are sent all the same, because the list may be older than the
 * server.
 *
 * @param prompt what the server listed; undefined when it lists no such prompt
 * @throws EngineError `missing-argument`, `argument-not-text`
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt
 */
export function checkPromptArguments(
  serverName: string,
  promptName: string,
  prompt: Prompt | undefined,
  args: Readonly<Record<string, unknown>>,
): void {
  const about = { server: serverName, prompt: shorten(promptName) };
  const missing = (prompt?.arguments ?? []).filter(
    ({ name, required }) => required && !Object.hasOwn(args, name),
  );
  if (missing.length > 0)
    throw new EngineError("missing-argument", {
      ...about,
      arguments: quote(missing.map(({ name }) => name)),
    });
  const odd = Object.keys(args).filter((name) => typeof args[name] !== "string");
  if (odd.length > 0) throw new EngineError("argument-not-text", { ...about, arguments: quote(odd) });
}

function quote(names: readonly string[]): string {
  return shorten(names.map((name) => `“${name}”`).join(", "));
}
