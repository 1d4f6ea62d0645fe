import type { Disposable } from "../../../base/disposable.ts";
import { errorText } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { Log } from "../../../base/log.ts";
import { EngineError } from "../../engineError.ts";
import type { JsonRpcRequest, JsonRpcResponse, RequestId } from "../../jsonrpc/message.ts";
import type { InputAsker } from "../../mrtr/inputAsker.ts";
import { parseElicitation, toElicitResult } from "../../mrtr/parseInputRequest.ts";
import { RPC_CODES } from "../../rpcError.ts";

type Send = (response: JsonRpcResponse) => Promise<void>;

/** How many requests of a server may wait for an answer at once; more are refused. */
const MAX_PENDING = 32;

/**
 * Answers what legacy servers ask on their own: `ping` at once, `elicitation/create` through the person.
 * A question belongs to the call on whose stream it came; on stdio, where nothing says so, to the only call
 * under way that can ask, or else to the connection.
 */
export class ServerRequests implements Disposable {
  readonly #log: Log;
  readonly #serverName: string;
  /** For questions that cannot be told to belong to one call; makes a fresh asker for each. */
  readonly #unrelated: (() => InputAsker & Disposable) | undefined;
  readonly #calls = new Map<RequestId, InputAsker | undefined>();
  readonly #pending = new Map<RequestId, AbortController>();

  constructor(options: {
    readonly log: Log;
    readonly serverName: string;
    readonly unrelated: (() => InputAsker & Disposable) | undefined;
  }) {
    this.#log = options.log;
    this.#serverName = options.serverName;
    this.#unrelated = options.unrelated;
  }

  /** Notes a call of ours that the server may ask about. */
  begin(id: RequestId, asker: InputAsker | undefined): void {
    this.#calls.set(id, asker);
  }

  end(id: RequestId): void {
    this.#calls.delete(id);
  }

  /** Stops asking: the server no longer wants the answer. */
  cancel(id: RequestId | undefined): void {
    if (id !== undefined)
      this.#pending.get(id)?.abort(new EngineError("cancelled", this.#args("elicitation/create")));
  }

  dispose(): void {
    for (const controller of this.#pending.values()) {
      controller.abort(new EngineError("closed", { server: this.#serverName }));
    }
  }

  /** Answers one request; every request gets exactly one answer unless the server cancelled it. */
  answer(message: JsonRpcRequest, relatedTo: RequestId | undefined, send: Send): void {
    this.#respond(message, relatedTo)
      .then((response) => (response === undefined ? undefined : send(response)))
      .catch((error: unknown) => {
        this.#log.write("warn", `Could not answer the server's ${message.method}: ${errorText(error)}`);
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
      default:
        this.#log.write(
          "info",
          `The server asked for ${message.method.slice(0, 100)}, which was not offered.`,
        );
        return failure(message, RPC_CODES.methodNotFound, `${message.method} is not offered by this client`);
    }
  }

  async #elicit(
    message: JsonRpcRequest,
    relatedTo: RequestId | undefined,
  ): Promise<JsonRpcResponse | undefined> {
    const parsed = parseElicitation("input", message.params);
    if (parsed.kind === "unsupported") {
      this.#log.write("warn", `Refused a request for input that MCP does not allow: ${parsed.reason}.`);
      return failure(message, RPC_CODES.invalidParams, `This form is not allowed: ${parsed.reason}`);
    }
    if (this.#pending.size >= MAX_PENDING) {
      return failure(message, RPC_CODES.internalError, "Too many requests for input are waiting");
    }
    const found = this.#askerFor(relatedTo);
    if (found === undefined)
      return failure(message, RPC_CODES.invalidParams, "Nobody can be asked in this call");
    const controller = new AbortController();
    this.#pending.set(message.id, controller);
    try {
      const answers = await found.asker.ask([parsed.request], controller.signal);
      const answer = answers.get(parsed.request.key) ?? { action: "cancel" };
      return result(message, toElicitResult(parsed.request, answer));
    } catch (error) {
      // A cancelled request gets no answer; anything else is dismissed rather than left hanging.
      if (controller.signal.aborted) return undefined;
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

  #askerFor(relatedTo: RequestId | undefined): { asker: InputAsker; dispose: () => void } | undefined {
    const none = (): void => undefined;
    if (relatedTo !== undefined && this.#calls.has(relatedTo)) {
      const asker = this.#calls.get(relatedTo);
      return asker && { asker, dispose: none };
    }
    const able = [...this.#calls.values()].filter((asker) => asker !== undefined);
    if (able.length === 1 && able[0] !== undefined && this.#calls.size === 1)
      return { asker: able[0], dispose: none };
    const unrelated = this.#unrelated?.();
    return (
      unrelated && {
        asker: unrelated,
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
