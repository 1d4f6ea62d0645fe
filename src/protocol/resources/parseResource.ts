import { isJsonObject, type JsonObject, type JsonValue, readAmount } from "../../base/json.ts";
import { readNames } from "../lists/readTexts.ts";
import type { ContentAnnotations, Resource, ResourceTemplate } from "../model/resource.ts";

/** Reads one entry of `resources/list`; a text says why it cannot be used. A missing name is replaced by the URI. */
export function parseResource(entry: JsonObject): Resource | string {
  const { uri, mimeType } = entry;
  const size = readAmount(entry["size"]);
  if (typeof uri !== "string" || uri === "") return "it has no URI";
  return {
    uri,
    ...(readNames(entry) ?? { name: uri, displayName: uri }),
    ...(typeof mimeType === "string" && { mimeType }),
    ...(size !== undefined && { size }),
    ...readAnnotations(entry["annotations"]),
    raw: entry,
  };
}

/** Reads one entry of `resources/templates/list`; a text says why it cannot be used. */
export function parseTemplate(entry: JsonObject): ResourceTemplate | string {
  const { uriTemplate, mimeType } = entry;
  if (typeof uriTemplate !== "string" || uriTemplate === "") return "it has no uriTemplate";
  return {
    uriTemplate,
    ...(readNames(entry) ?? { name: uriTemplate, displayName: uriTemplate }),
    ...(typeof mimeType === "string" && { mimeType }),
    ...readAnnotations(entry["annotations"]),
    raw: entry,
  };
}

function readAnnotations(value: JsonValue | undefined): { readonly annotations?: ContentAnnotations } {
  if (!isJsonObject(value)) return {};
  const { audience, priority, lastModified } = value;
  const known = Array.isArray(audience)
    ? audience.filter((who): who is "user" | "assistant" => who === "user" || who === "assistant")
    : undefined;
  return {
    annotations: {
      ...(known !== undefined && { audience: known }),
      ...(typeof priority === "number" && { priority }),
      ...(typeof lastModified === "string" && { lastModified }),
    },
  };
}
