import { assertNever } from "../../base/assertNever.ts";
import type { PromptMessage, PromptResult } from "../../protocol/model/prompt.ts";
import type { ContentBlock } from "../../protocol/model/tool.ts";
import type { Translate } from "../../shared/translate.ts";
import { formatBytes } from "../formatBytes.ts";
import { base64Bytes } from "../panels/toResultView.ts";
import { oneLine } from "../serverText.ts";

/** A prompt that was got, with what was asked for. */
export interface GottenPrompt {
  readonly serverId: string;
  readonly promptName: string;
  readonly displayName: string;
  readonly args: Readonly<Record<string, string>>;
  readonly result: PromptResult;
}

/** A whole prompt for reading, as plain text: where it comes from, and each message under its role. */
export function promptForReading(prompt: GottenPrompt, t: Translate): string {
  const { serverId, promptName, displayName, args, result } = prompt;
  const name = oneLine(promptName);
  const title = oneLine(displayName);
  const head = [
    title === name ? t("Prompt: {name}", { name }) : t("Prompt: {title} ({name})", { title, name }),
    t("Server: {server}", { server: serverId }),
    ...Object.entries(args).map(([argument, value]) => `${oneLine(argument)}: ${oneLine(value)}`),
    ...(result.description === undefined ? [] : [oneLine(result.description, 1_000)]),
    ...result.warnings.map((warning) => t("Warning: {warning}", { warning: oneLine(warning, 1_000) })),
  ];
  const messages = result.messages.map(
    (message) => `──── ${roleName(message.role, t)} ────\n\n${blockText(message.content, t).trimEnd()}`,
  );
  const body = messages.length === 0 ? [t("The prompt has no messages.")] : messages;
  return [head.join("\n"), ...body].join("\n\n") + "\n";
}

/** The words of a prompt, to paste somewhere: alone when there is one message, else each under its role. */
export function promptAsText({ messages }: PromptResult, t: Translate): string {
  const [only] = messages;
  if (messages.length === 1 && only !== undefined) return blockText(only.content, t);
  return messages
    .map((message) => `${roleName(message.role, t)}:\n${blockText(message.content, t).trimEnd()}`)
    .join("\n\n");
}

function roleName(role: PromptMessage["role"], t: Translate): string {
  return role === "user" ? t("User") : t("Assistant");
}

/** One piece of content as plain text. What is no text is named with its type and size. */
function blockText(block: ContentBlock, t: Translate): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio": {
      const size = formatBytes(base64Bytes(block.data), t);
      const facts = { type: oneLine(block.mimeType, 60), size };
      return block.type === "image"
        ? t("[Image, {type}, {size}]", facts)
        : t("[Sound, {type}, {size}]", facts);
    }
    case "resource_link":
      return t("[Link to the resource {name}: {uri}]", {
        name: oneLine(block.title ?? block.name),
        uri: oneLine(block.uri, 1_000),
      });
    case "resource": {
      const uri = oneLine(block.uri, 1_000);
      if (block.text !== undefined) return `${t("[Resource {uri}]", { uri })}\n${block.text}`;
      const size = formatBytes(base64Bytes(block.blob ?? ""), t);
      return t("[Resource {uri}, {size}]", { uri, size });
    }
    case "unknown":
      return t("[Content of the unknown type {type}]", { type: oneLine(block.name) });
    default:
      return assertNever(block);
  }
}
