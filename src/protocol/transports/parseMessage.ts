import { isJsonObject, parseJson } from "../../base/json.ts";
import { classifyMessage, type IncomingMessage, type RequestId } from "../jsonrpc/message.ts";

/** What a text from the wire turned out to be. */
export type ParsedMessage =
  | Exclude<IncomingMessage, { kind: "invalid" }>
  /** The engine's own words about the fault are left out: they quote the text. */
  | { readonly kind: "not-json" }
  /** JSON, but no message. `answerTo` is set when it was meant as the answer to that request. */
  | { readonly kind: "invalid"; readonly reason: string; readonly answerTo: string | number | undefined };

/** Texts of so many characters and more are read in slices. */
export const LARGE_TEXT = 2 * 1024 * 1024;
/** How long reading a large message may hold up everything else at a time. */
const SLICE_MS = 8;

/** Reads one message from its text. Never throws: what a peer sends is a value to look at. */
export function parseMessage(text: string): ParsedMessage {
  try {
    return classify(parseJson(text));
  } catch {
    return { kind: "not-json" };
  }
}

/** The same for a large text, with other work in between. Never rejects. */
export async function parseLargeMessage(text: string): Promise<ParsedMessage> {
  let since = performance.now();
  const pause = (): Promise<void> | undefined => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
  try {
    const { parseSliced } = await import("./parseSliced.ts");
    return classify(await parseSliced(text, pause));
  } catch {
    return { kind: "not-json" };
  }
}

function classify(value: unknown): ParsedMessage {
  const message = classifyMessage(value);
  if (message.kind !== "invalid") return message;
  const id = isJsonObject(value) && value["method"] === undefined ? value["id"] : undefined;
  const answerTo = typeof id === "string" || typeof id === "number" ? id : undefined;
  return { ...message, answerTo };
}

/** True when an id is the decimal text of an integer id, as some servers wrongly send it back. */
export function isTextOf(id: RequestId | null | undefined, requestId: RequestId): boolean {
  return typeof id === "string" && typeof requestId === "number" && id === String(requestId);
}

/** The start of a foreign text for a log line: one line, bounded, without control characters. */
export function snippet(text: string, maximumLength = 200): string {
  const plain = text.slice(0, maximumLength).replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
  return text.length > maximumLength ? `${plain}…` : plain;
}
