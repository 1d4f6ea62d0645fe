import { isJsonObject, type JsonValue } from "../../base/json.ts";
import type { Implementation } from "../model/server.ts";

/** Reads what a server says about itself; undefined when it says nothing usable. It decides nothing. */
export function readImplementation(value: JsonValue | undefined): Implementation | undefined {
  if (!isJsonObject(value) || typeof value["name"] !== "string") return undefined;
  const { version, title, description, websiteUrl } = value;
  return {
    name: value["name"],
    version: typeof version === "string" ? version : "",
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    ...(typeof websiteUrl === "string" && { websiteUrl }),
  };
}
