import type { Disposable } from "../../../base/disposable.ts";
import { errorText } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { Log } from "../../../base/log.ts";
import { EngineError } from "../../engineError.ts";
import type { JsonRpcRequest, JsonRpcResponse, RequestId } from "../../jsonrpc/message.ts";
import { type AnyRevision, LATEST_LEGACY_REVISION } from "../../model/revision.ts";
import type { InputAsker } from "../../mrtr/inputAsker.ts";
import { isLargerThan } from "../../mrtr/inputSize.ts";
import { parseElicitation, toElicitResult } from "../../mrtr/parseInputRequest.ts";
import { RPC_CODES } from "../../rpcError.ts";
import { shorten } from "../../shorten.ts";

/** A question that is open. */
interface Pending {
  readonly controller: AbortController;
  /** The call in whose name it is asked; undefined for one that belongs to none. */
  readonly call: RequestId | undefined;
  /** Set when that call ended without waiting for the answer. */
  isMoot: boolean;
}

/** Who is asked, and in the name of which call. */
interface Asked {
  readonly asker: InputAsker;
  readonly call: RequestId | undefined;
  readonly dispose: () => void;
}

type Send = (response: JsonRpcResponse) => Promise<void>;

/** How many requests of a server may wait for an answer at once; more are refused. */
const MAX_PENDING = 32;
/** How many answers may be on their way at once; a server that floods the client is not answered beyond that. */
const MAX_ANSWERS = 256;

/**
 * Answers what legacy servers ask on their own: `ping` at once, `elicitation/create` through the person.
 * A question belongs to the call on whose stream it came; on stdio, where nothing says so, to the only call
 * under way that can ask, or else to the connection.
 */
export class ServerRequests implements Disposable {
  readonly #log: Log;
  readonly #serverName: string;
  readonly #inputBytes: number;
  readonly #knowsUrls: boolean;
  /** For questions that cannot be told to belong to one call; makes a fresh asker for each. */
  readonly #unrelated: (() => InputAsker & Disposable) | undefined;
  readonly #calls = new Map<RequestId, InputAsker | undefined>();
  readonly #pending = new Map<RequestId, Pending>();
  #answers = 0;
  #disposed = false;

  constructor(options: {
    readonly log: Log;
    readonly serverName: string;
    /** What one question may take. */
    readonly inputBytes: number;
    /** The revision of the session: before 2025-11-25 there are forms only, so that nothing else was offered. */
    readonly revision: AnyRevision;
    readonly unrelated: (() => InputAsker & Disposable) | undefined;
  }) {
    this.#log = options.log;
    this.#serverName = options.serverName;
    this.#inputBytes = options.inputBytes;
    this.#knowsUrls = options.revision >= LATEST_LEGACY_REVISION;
    this.#unrelated = options.unrelated;
  }

  /** Notes a call of ours that the server may ask about. */
  begin(id: RequestId, asker: InputAsker | undefined): void {
    this.#calls.set(id, asker);
  }

  /** The call has its result or was given up: nobody needs an answer to what was asked in its name. */
  end(id: RequestId): void {
    this.#calls.delete(id);
    for (const pending of this.#pending.values()) {
      if (pending.call !== id) continue;
      pending.isMoot = true;
      pending.controller.abort(new EngineError("cancelled", this.#args("elicitation/create")));
    }
  }

  /** Stops asking: the server no longer wants the answer. */
  cancel(id: RequestId | undefined): void {
    if (id !== undefined)
      this.#pending.get(id)?.controller.abort(new EngineError("cancelled", this.#args("elicitation/create")));
  }

  dispose(): void {
    this.#disposed = true;
    for (const { controller } of this.#pending.values()) {
      controller.abort(new EngineError("closed", { server: this.#serverName }));
    }
  }

  /** Answers one request; every request gets exactly one answer unless the server cancelled it. */
  answer(message: JsonRpcRequest, relatedTo: RequestId | undefined, send: Send): void {
    if (this.#disposed) return;
    if (this.#answers >= MAX_ANSWERS) {
      this.#log.write("debug", "Left a request of the server without an answer: too many are under way.");
      return;
    }
    this.#answers += 1;
    this.#respond(message, relatedTo)
      .then((response) => (response === undefined ? undefined : send(response)))
      .catch((error: unknown) => {
        const method = shorten(message.method);
        this.#log.write("warn", `Could not answer the server's ${method}: ${errorText(error)}`);
      })
      .finally(() => {
        this.#answers -= 1;
      });
  }

  async #respond(
    message: JsonRpcRequest,
    relatedTo: RequestId | undefined,
  ): Promise<JsonRpcResponse | undefined> {
    switch (message.method) {
      case "ping":
        return result(message, {});
      case "elicitation/create":
        return this.#elicit(message, relatedTo);
      default: {
        const method = shorten(message.method);
        this.#log.write("info", `The server asked for ${method}, which was not offered.`);
        return failure(message, RPC_CODES.methodNotFound, `${method} is not offered by this client`);
      }
    }
  }

  async #elicit(
    message: JsonRpcRequest,
    relatedTo: RequestId | undefined,
  ): Promise<JsonRpcResponse | undefined> {
    if (isLargerThan(message.params, this.#inputBytes)) {
      this.#log.write("warn", `Refused a request for input of more than ${String(this.#inputBytes)} bytes.`);
      return failure(message, RPC_CODES.invalidParams, "The request is larger than a person can be asked");
    }
    const parsed = parseElicitation("input", message.params);
    if (parsed.kind === "unsupported") {
      const reason = shorten(parsed.reason);
      this.#log.write("warn", `Refused a request for input that MCP does not allow: ${reason}.`);
      return failure(message, RPC_CODES.invalidParams, `This form is not allowed: ${reason}`);
    }
    if (parsed.request.kind === "url" && !this.#knowsUrls) {
      return failure(message, RPC_CODES.invalidParams, "This mode of input was not offered");
    }
    if (this.#pending.has(message.id)) {
      return failure(message, RPC_CODES.invalidRequest, "This id belongs to a request that is still open");
    }
    if (this.#pending.size >= MAX_PENDING) {
      return failure(message, RPC_CODES.internalError, "Too many requests for input are waiting");
    }
    const found = this.#askerFor(relatedTo);
    if (found === undefined)
      return failure(message, RPC_CODES.invalidParams, "Nobody can be asked in this call");
    const pending: Pending = { controller: new AbortController(), call: found.call, isMoot: false };
    const { signal } = pending.controller;
    this.#pending.set(message.id, pending);
    try {
      const answers = await found.asker.ask([parsed.request], signal);
      const answer = answers.get(parsed.request.key) ?? { action: "cancel" };
      return result(message, toElicitResult(parsed.request, answer));
    } catch (error) {
      // A cancelled request gets no answer; anything else is dismissed rather than left hanging.
      if (signal.aborted && !pending.isMoot) return undefined;
      if (error instanceof EngineError && error.code === "undeclared-input") {
        return failure(message, RPC_CODES.invalidParams, "This mode of input was not offered");
      }
      this.#log.write("info", `A request for input was dismissed: ${errorText(error)}`);
      return result(message, { action: "cancel" });
    } finally {
      this.#pending.delete(message.id);
      found.dispose();
    }
  }

  #askerFor(relatedTo: RequestId | undefined): Asked | undefined {
    const none = (): void => undefined;
    if (relatedTo !== undefined) {
      // The call of that stream, or none: a question of a call that has ended is not another one's.
      const asker = this.#calls.get(relatedTo);
      return asker && { asker, call: relatedTo, dispose: none };
    }
    const [only] = this.#calls;
    if (only?.[1] !== undefined && this.#calls.size === 1)
      return { asker: only[1], call: only[0], dispose: none };
    const unrelated = this.#unrelated?.();
    return (
      unrelated && {
        asker: unrelated,
        call: undefined,
        dispose: () => {
          unrelated.dispose();
        },
      }
    );
  }

  #args(method: string): { server: string; method: string } {
    return { server: this.#serverName, method };
  }
}

function result(message: JsonRpcRequest, value: JsonObject): JsonRpcResponse {
  return { jsonrpc: "2.0", id: message.id, result: value };
}

function failure(message: JsonRpcRequest, code: number, text: string): JsonRpcResponse {
  return { jsonrpc: "2.0", id: message.id, error: { code, message: text } };
}
