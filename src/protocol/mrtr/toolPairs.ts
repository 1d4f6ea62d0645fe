import type { SamplingMessage } from "../model/sampling.ts";

/**
 * Checks that every use of a tool is answered at once: an assistant's message with uses is followed by a user's
 * message of results alone, one for each use. Answers what is wrong, or undefined.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#message-content-constraints
 */
export function findBrokenPair(messages: readonly SamplingMessage[]): string | undefined {
  let open: ReadonlySet<string> = new Set();
  for (const [index, message] of messages.entries()) {
    const where = `message ${String(index + 1)}`;
    const wrong = checkRoles(message, where) ?? checkAnswers(message, open, where);
    if (wrong !== undefined) return wrong;
    const uses = message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    open = new Set(uses);
    if (open.size < uses.length) return `${where} uses one id for two tool uses`;
  }
  return open.size === 0 ? undefined : "the last message uses a tool, and no result follows";
}

function checkRoles({ role, content }: SamplingMessage, where: string): string | undefined {
  const results = content.filter(({ type }) => type === "tool_result").length;
  if (role === "user" && content.some(({ type }) => type === "tool_use"))
    return `${where} is the user's and uses a tool`;
  if (role === "assistant" && results > 0) return `${where} is the assistant's and holds a tool result`;
  return results > 0 && results < content.length
    ? `${where} mixes tool results with other content`
    : undefined;
}

function checkAnswers(
  { content }: SamplingMessage,
  open: ReadonlySet<string>,
  where: string,
): string | undefined {
  const answered = content.flatMap((block) => (block.type === "tool_result" ? [block.toolUseId] : []));
  const ids = new Set(answered);
  if (ids.size < answered.length) return `${where} answers a tool use twice`;
  if (answered.some((id) => !open.has(id))) return `${where} answers a tool use that is not there`;
  return [...open].every((id) => ids.has(id))
    ? undefined
    : `${where} does not answer every tool use before it`;
}
