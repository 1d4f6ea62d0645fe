import type { JsonValue } from "../../base/json.ts";
import type { SchemaDialect } from "./keywordShapes.ts";

/**
 * The dialect that the value of `$schema` names; undefined when it is none that Signalbox validates.
 * A schema without one is 2020-12.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export function readDialect(declared: JsonValue | undefined): SchemaDialect | undefined {
  if (declared === undefined) return "2020-12";
  if (typeof declared !== "string") return undefined;
  switch (declared.replace(/^http:/, "https:").replace(/#$/, "")) {
    case "https://json-schema.org/draft/2020-12/schema":
      return "2020-12";
    case "https://json-schema.org/draft-07/schema":
      return "draft-07";
    default:
      return undefined;
  }
}
