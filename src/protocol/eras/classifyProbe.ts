import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { JsonRpcErrorObject } from "../jsonrpc/message.ts";
import { type AnyRevision, MODERN_REVISION } from "../model/revision.ts";
import { RPC_CODES } from "../rpcError.ts";
import { shorten } from "../shorten.ts";
import { type DiscoverResult, readDiscoverResult } from "./modern/discover.ts";

/** What came of `server/discover`, as facts. */
export type ProbeOutcome =
  | { readonly kind: "result"; readonly result: JsonObject }
  /** A JSON-RPC error, on HTTP with its status. */
  | { readonly kind: "error"; readonly error: JsonRpcErrorObject; readonly httpStatus: number | undefined }
  /** An HTTP answer without a JSON-RPC message. */
  | { readonly kind: "http"; readonly status: number; readonly error: Error }
  /** The process ended. */
  | { readonly kind: "exit"; readonly error: Error }
  /** Nothing came within the limit. */
  | { readonly kind: "silence"; readonly error: Error }
  /** The network failed, or the call was cancelled. */
  | { readonly kind: "broken"; readonly error: Error };

/** What the facts mean. */
export type ProbeVerdict =
  | { readonly kind: "modern"; readonly discover: DiscoverResult }
  /** A modern server that wants the request again with this revision. */
  | { readonly kind: "again" }
  /**
   * Speak `initialize`, on a new process when the old one ended. `offer` names a revision that the server listed.
   * `failure` is set when the server answered nothing at all: a guess, which is no evidence against what was known.
   */
  | {
      readonly kind: "legacy";
      readonly reason: string;
      readonly offer: AnyRevision | undefined;
      readonly respawn: boolean;
      readonly failure: Error | undefined;
    }
  /** A modern server without a revision in common. */
  | { readonly kind: "disjoint"; readonly theirs: string }
  /** No evidence of any era: the request failed. `error` is undefined when the answer itself is the error. */
  | { readonly kind: "failed"; readonly error: Error | undefined };

/** What decides beside the outcome. */
export interface ProbeFacts {
  readonly transport: "stdio" | "http";
  /** Legacy revisions that are acceptable, newest first. */
  readonly accepted: readonly AnyRevision[];
}

/**
 * Decides the era from the answer to `server/discover`. A valid DiscoverResult or a recognised modern error proves
 * the modern era; lack of access, outages and time-outs over HTTP prove nothing; anything else is the legacy era.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
export function classifyProbe(outcome: ProbeOutcome, facts: ProbeFacts): ProbeVerdict {
  switch (outcome.kind) {
    case "result":
      return classifyResult(outcome.result, facts);
    case "error":
      return classifyError(outcome.error, outcome.httpStatus, facts);
    case "http":
      return classifyStatus(outcome.status, outcome.error);
    case "exit":
      return {
        ...legacy("the process ended when it was asked server/discover"),
        respawn: true,
        failure: outcome.error,
      };
    case "silence":
      if (facts.transport === "http") return { kind: "failed", error: outcome.error };
      return { ...legacy("server/discover was not answered"), failure: outcome.error };
    case "broken":
      return { kind: "failed", error: outcome.error };
  }
}

function classifyResult(result: JsonObject, facts: ProbeFacts): ProbeVerdict {
  const discover = readDiscoverResult(result);
  if (discover === undefined)
    return legacy("server/discover was answered with something else than a DiscoverResult");
  if (discover.supportedVersions.includes(MODERN_REVISION)) return { kind: "modern", discover };
  return chooseListed(discover.supportedVersions, facts);
}

function classifyError(
  error: JsonRpcErrorObject,
  httpStatus: number | undefined,
  facts: ProbeFacts,
): ProbeVerdict {
  if (httpStatus === 401 || httpStatus === 403) return { kind: "failed", error: undefined };
  if (error.code === RPC_CODES.unsupportedVersion) {
    const supported = isJsonObject(error.data) ? error.data["supported"] : undefined;
    const versions = Array.isArray(supported) ? supported.filter((item) => typeof item === "string") : [];
    if (versions.includes(MODERN_REVISION)) return { kind: "again" };
    return chooseListed(versions, facts);
  }
  const modernOnHttp = error.code === RPC_CODES.headerMismatch || error.code === RPC_CODES.missingCapability;
  if (httpStatus === 400 && modernOnHttp) return { kind: "failed", error: undefined };
  if (httpStatus !== undefined && saysNothing(httpStatus)) return { kind: "failed", error: undefined };
  const where = httpStatus === undefined || httpStatus === 200 ? "" : ` and HTTP ${String(httpStatus)}`;
  return legacy(`server/discover was refused with ${String(error.code)}${where}`);
}

function classifyStatus(status: number, error: Error): ProbeVerdict {
  if (saysNothing(status)) return { kind: "failed", error };
  return legacy(`server/discover was answered with HTTP ${String(status)} and no MCP message`);
}

/** Lack of access, overload and outages: whoever answers so has not looked at the message. */
function saysNothing(status: number): boolean {
  return status === 401 || status === 403 || status === 407 || status === 429 || status >= 500;
}

/** A list without a modern revision: a legacy one in common is spoken through `initialize`, else there is nothing. */
function chooseListed(versions: readonly string[], facts: ProbeFacts): ProbeVerdict {
  const offer = facts.accepted.find((revision) => versions.includes(revision));
  const listed = shorten(versions.join(", "));
  if (offer === undefined) return { kind: "disjoint", theirs: listed };
  return legacy(`the server lists ${listed}`, offer);
}

function legacy(reason: string, offer?: AnyRevision): Extract<ProbeVerdict, { kind: "legacy" }> {
  return { kind: "legacy", reason, offer, respawn: false, failure: undefined };
}
