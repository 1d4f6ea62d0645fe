import { errorText } from "../../../base/errors.ts";
import { isJsonObject } from "../../../base/json.ts";
import type { Channel } from "../../channel.ts";
import { EngineError } from "../../engineError.ts";
import { isErrorResponse } from "../../jsonrpc/message.ts";
import type { AnyRevision } from "../../model/revision.ts";
import type { Implementation } from "../../model/server.ts";
import type { InputModes } from "../../mrtr/inputRequired.ts";
import { RpcError } from "../../rpcError.ts";
import { shorten } from "../../shorten.ts";
import { limitSignal } from "../limitSignal.ts";
import { chooseRetryRevision, initializeParams, readInitializeResult } from "./handshake.ts";
import type { LegacyStart } from "./legacySession.ts";

export interface InitializeOptions {
  readonly offer: AnyRevision;
  readonly accepted: readonly AnyRevision[];
  /** Whether a refusal that names another revision is answered with a second attempt. */
  readonly mayRetry: boolean;
  readonly clientInfo: Implementation;
  readonly extensions?: readonly string[] | undefined;
  readonly modes: InputModes | undefined;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Told after each attempt, with what came of it. */
  readonly onStep: (outcome: string) => void;
}

/**
 * Makes the `initialize` handshake, without `notifications/initialized`, which is the session's first act.
 * The request is never cancelled on the wire: the specification forbids it.
 *
 * @throws RpcError when the server refuses, EngineError `no-common-revision`, `invalid-result`, `timeout`, …
 */
export async function initialize(channel: Channel, options: InitializeOptions): Promise<LegacyStart> {
  try {
    return await attempt(channel, options);
  } catch (error) {
    const retry = options.mayRetry ? retryRevision(error, options) : undefined;
    if (retry === undefined) throw error;
    return attempt(channel, { ...options, offer: retry });
  }
}

async function attempt(channel: Channel, options: InitializeOptions): Promise<LegacyStart> {
  const limit = limitSignal(channel, "initialize", options.limitMs, options.signal);
  try {
    const { response, http } = await channel.exchange({
      method: "initialize",
      signal: limit.signal,
      build: () => {
        const { offer, clientInfo, modes, extensions } = options;
        return { params: initializeParams(offer, clientInfo, modes, extensions) };
      },
    });
    if (isErrorResponse(response)) throw new RpcError("initialize", response.error, http?.status);
    const handshake = readInitializeResult(response.result, options.accepted);
    const sessionId = http?.sessionId === "" ? undefined : http?.sessionId;
    // Text beyond visible ASCII would come back as something else, or not at all. It is a secret: not shown.
    if (sessionId !== undefined && !/^[\x21-\x7e]+$/.test(sessionId)) {
      const reason = "its session id holds characters that no session id may hold";
      throw unusable(channel.serverName, { kind: "invalid", reason }, options.accepted);
    }
    if (handshake.kind === "accepted") {
      options.onStep(`Offered ${options.offer}; it agreed to ${handshake.facts.revision}.`);
      return { facts: handshake.facts, sessionId };
    }
    throw unusable(channel.serverName, handshake, options.accepted);
  } catch (error) {
    options.onStep(`Offered ${options.offer}; ${errorText(error)}`);
    throw error;
  } finally {
    limit.dispose();
  }
}

function unusable(
  server: string,
  handshake:
    | { readonly kind: "refused"; readonly theirs: string }
    | { readonly kind: "invalid"; readonly reason: string },
  accepted: readonly AnyRevision[],
): EngineError {
  if (handshake.kind === "invalid") {
    return new EngineError("invalid-result", { server, method: "initialize", reason: handshake.reason });
  }
  return new EngineError("no-common-revision", {
    server,
    theirs: handshake.theirs.slice(0, 100),
    ours: accepted.join(", "),
  });
}

/** Why a server does not speak what it was offered, as a clause; undefined for an error about anything else. */
export function explainOtherRevision(error: unknown): string | undefined {
  if (error instanceof EngineError && error.code === "no-common-revision")
    return `it speaks ${String(error.args["theirs"])}`;
  if (!(error instanceof RpcError)) return undefined;
  const supported = isJsonObject(error.data) ? error.data["supported"] : undefined;
  if (!Array.isArray(supported)) return undefined;
  return `initialize was refused with ${String(error.rpcCode)}; it speaks ${shorten(supported.join(", "))}`;
}

function retryRevision(error: unknown, options: InitializeOptions): AnyRevision | undefined {
  if (error instanceof RpcError) {
    return chooseRetryRevision(options.offer, options.accepted, { text: error.message, data: error.data });
  }
  if (error instanceof EngineError && error.code === "http-status" && error.httpStatus === 400) {
    return chooseRetryRevision(options.offer, options.accepted, { text: error.detail ?? "" });
  }
  return undefined;
}
