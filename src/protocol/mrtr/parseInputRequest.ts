import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../base/json.ts";
import type { ElicitationRequest, InputResponse } from "./inputRequired.ts";
import { parseForm } from "./parseForm.ts";

/** What one `elicitation/create` turned out to be. */
export type ParsedInputRequest =
  | { readonly kind: "request"; readonly request: ElicitationRequest }
  | { readonly kind: "unsupported"; readonly reason: string };

/**
 * Reads the parameters of `elicitation/create`, the same in both eras. No mode means a form.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export function parseElicitation(key: string, params: JsonValue | undefined): ParsedInputRequest {
  if (!isJsonObject(params)) return { kind: "unsupported", reason: "there are no parameters" };
  const message = typeof params["message"] === "string" ? params["message"] : "";
  const mode = params["mode"] ?? "form";
  if (mode === "url") {
    const url = params["url"];
    if (typeof url !== "string" || url === "") return { kind: "unsupported", reason: "there is no URL" };
    const { elicitationId } = params;
    const named = typeof elicitationId === "string" && elicitationId !== "" ? { elicitationId } : {};
    return { kind: "request", request: { kind: "url", key, message, url, ...named } };
  }
  if (mode !== "form") return { kind: "unsupported", reason: `the mode is ${stringifyJson(mode)}` };
  const form = parseForm(params["requestedSchema"]);
  if (form.kind === "unsupported") return form;
  return { kind: "request", request: { kind: "form", key, message, form: form.form } };
}

/** The wire form of an answer: `content` goes with an accepted form only. */
export function toElicitResult(request: ElicitationRequest, response: InputResponse): JsonObject {
  if (response.action !== "accept" || request.kind === "url") return { action: response.action };
  return { action: "accept", content: { ...response.content } };
}
