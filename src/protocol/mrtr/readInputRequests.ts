import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../base/json.ts";
import { EngineError } from "../engineError.ts";
import { shorten } from "../shorten.ts";
import type { InputAsker } from "./inputAsker.ts";
import type { InputRequest } from "./inputRequired.ts";
import { parseElicitation } from "./parseInputRequest.ts";
import { parseSampling } from "./parseSampling.ts";

/** The call that the requests belong to, and who could answer; without an asker nothing was declared. */
export interface RequestFacts {
  readonly serverName: string;
  readonly method: string;
  readonly asker: Pick<InputAsker, "modes" | "notOffered"> | undefined;
}

/**
 * Reads the `inputRequests` of a result, all of them or none.
 *
 * @throws EngineError `undeclared-input`, `sampling-off`, `roots-off`, `unsupported-form`, `invalid-sampling`,
 * `invalid-result`
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export function readInputRequests(requests: JsonObject, facts: RequestFacts): readonly InputRequest[] {
  return Object.entries(requests).map(([key, request]) => {
    if (!isJsonObject(request)) throw invalid(facts, `the input request “${key}” is not an object`);
    const { method, params } = request;
    switch (method) {
      case "elicitation/create":
        return readElicitation(key, params, facts);
      case "sampling/createMessage":
        return readSampling(key, params, facts);
      case "roots/list":
        if (facts.asker?.modes.roots !== true) throw notOffered(facts, "roots");
        return { kind: "roots", key };
      default:
        throw invalid(facts, `the input request “${key}” has the method ${stringifyJson(method ?? null)}`);
    }
  });
}

function readElicitation(key: string, params: JsonValue | undefined, facts: RequestFacts): InputRequest {
  const { serverName: server, method, asker } = facts;
  if (asker === undefined || !(asker.modes.form || asker.modes.url)) {
    throw new EngineError("undeclared-input", { server, kind: "elicitation", method });
  }
  const one = parseElicitation(key, params);
  if (one.kind === "request") return one.request;
  throw new EngineError("unsupported-form", { server, reason: shorten(one.reason) });
}

function readSampling(key: string, params: JsonValue | undefined, facts: RequestFacts): InputRequest {
  const { serverName: server, method, asker } = facts;
  if (asker?.modes.sampling === undefined) throw notOffered(facts, "sampling");
  const one = parseSampling(params, asker.modes.sampling === "tools");
  switch (one.kind) {
    case "request":
      return { kind: "sampling", key, request: one.request };
    case "undeclared-tools":
      throw new EngineError("undeclared-input", { server, kind: "sampling with tools", method });
    case "invalid":
      throw new EngineError("invalid-sampling", { server, reason: shorten(one.reason) });
  }
}

function notOffered(
  { serverName: server, method, asker }: RequestFacts,
  kind: "sampling" | "roots",
): EngineError {
  return asker?.notOffered(kind) ?? new EngineError("undeclared-input", { server, kind, method });
}

function invalid({ serverName: server, method }: RequestFacts, reason: string): EngineError {
  return new EngineError("invalid-result", { server, method, reason: shorten(reason) });
}
