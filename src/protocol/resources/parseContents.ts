import { isJsonObject, type JsonValue } from "../../base/json.ts";
import type { ResourceContents } from "../model/resource.ts";
import { isBase64 } from "./isBase64.ts";

/**
 * Reads one entry of the `contents` of a resource. Nothing is left out: what has an odd form is kept with a sentence
 * that says what is wrong with it, and with everything that came.
 *
 * @param requested the URI that was asked for, which stands in for a missing one
 */
export function parseContents(value: JsonValue, requested: string): ResourceContents {
  if (!isJsonObject(value)) return { uri: requested, raw: { value }, problem: "This part is not an object." };
  const { uri, mimeType, text, blob } = value;
  const hasText = typeof text === "string";
  const hasBytes = typeof blob === "string" && isBase64(blob);
  const problem =
    typeof uri === "string" && uri !== ""
      ? describeData(text, blob)
      : (describeData(text, blob) ?? "This part has no URI.");
  return {
    uri: typeof uri === "string" && uri !== "" ? uri : requested,
    ...(typeof mimeType === "string" && { mimeType }),
    ...(hasText && { text }),
    ...(hasBytes && { blob }),
    raw: value,
    ...(problem !== undefined && { problem }),
  };
}

function describeData(text: JsonValue | undefined, blob: JsonValue | undefined): string | undefined {
  if (blob === undefined) {
    if (text === undefined) return "This part has neither text nor bytes.";
    return typeof text === "string" ? undefined : "The text of this part is not a text.";
  }
  if (typeof blob !== "string" || !isBase64(blob)) return "The bytes of this part are not base64.";
  return text === undefined ? undefined : "This part has both text and bytes.";
}
