import type { JsonObject } from "../base/json.ts";

/** The tool, the prompt or the resource that a request is about. */
export function targetOf(params: JsonObject): string | undefined {
  return [params["name"], params["uri"]].find((value) => typeof value === "string");
}

/** A request in words, for a trace. */
export function describeCall(method: string, params: JsonObject): string {
  const target = targetOf(params);
  return target === undefined ? method : `${method} “${target}”`;
}
