import type { Disposable } from "../../../base/disposable.ts";
import { errorText } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { Log } from "../../../base/log.ts";
import { EngineError } from "../../engineError.ts";
import type {
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
} from "../../jsonrpc/message.ts";
import { type AnyRevision, LATEST_LEGACY_REVISION } from "../../model/revision.ts";
import type { FeatureUse } from "../../mrtr/featureUse.ts";
import type { InputAsker } from "../../mrtr/inputAsker.ts";
import type { InputRequest } from "../../mrtr/inputRequired.ts";
import { isLargerThan } from "../../mrtr/inputSize.ts";
import { parseElicitation } from "../../mrtr/parseInputRequest.ts";
import { parseSampling } from "../../mrtr/parseSampling.ts";
import { RPC_CODES } from "../../rpcError.ts";
import { shorten } from "../../shorten.ts";
import { relatedTask, taskKey, withRelatedTask } from "./relatedTask.ts";

/** A question that is open. */
interface Pending {
  readonly controller: AbortController;
  /** The call in whose name it is asked; undefined for one that belongs to none. */
  readonly call: RequestId | undefined;
  readonly method: string;
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
 * Answers what legacy servers ask on their own: `ping` at once, `elicitation/create` through the person,
 * `sampling/createMessage` through the person and a model, `roots/list` with the folders that are allowed.
 * A question belongs to the call on whose stream it came; on stdio, where nothing says so, to the only call
 * under way that can ask, or else to the connection.
 */
export class ServerRequests implements Disposable {
  /** Hears under which id the server sends a person elsewhere, before the person is asked. */
  onElicitationId: ((elicitationId: string) => void) | undefined;
  readonly #log: Log;
  readonly #serverName: string;
  readonly #inputBytes: number;
  /** Since 2025-11-25: URLs to open, and tools in requests for sampling. */
  readonly #isLatest: boolean;
  readonly #use: FeatureUse;
  /** For questions that cannot be told to belong to one call; makes a fresh asker for each. */
  readonly #unrelated: (() => InputAsker & Disposable) | undefined;
  /** In objects that are emptied: tables that a `Map` has outgrown hold on to their entries for a while. */
  readonly #calls = new Map<RequestId, { asker: InputAsker | undefined }>();
  readonly #pending = new Map<RequestId, Pending>();
  #answers = 0;
  #disposed = false;
  #rootsChanges: Disposable | undefined;

  constructor(options: {
    readonly log: Log;
    readonly serverName: string;
    /** What one question may take. */
    readonly inputBytes: number;
    /** The revision of the session: before 2025-11-25 there are forms only, so that nothing else was offered. */
    readonly revision: AnyRevision;
    readonly unrelated: (() => InputAsker & Disposable) | undefined;
    readonly use: FeatureUse;
  }) {
    this.#log = options.log;
    this.#serverName = options.serverName;
    this.#inputBytes = options.inputBytes;
    this.#isLatest = options.revision >= LATEST_LEGACY_REVISION;
    this.#use = options.use;
    this.#unrelated = options.unrelated;
  }

  /** Notes a call of ours that the server may ask about. */
  begin(id: RequestId, asker: InputAsker | undefined): void {
    this.#calls.set(id, { asker });
  }

  /** The call has its result or was given up: nobody needs an answer to what was asked in its name. */
  end(id: RequestId): void {
    const ended = this.#calls.get(id);
    if (ended !== undefined) ended.asker = undefined;
    this.#calls.delete(id);
    for (const pending of this.#pending.values()) {
      if (pending.call !== id) continue;
      pending.isMoot = true;
      pending.controller.abort(new EngineError("cancelled", this.#args(pending.method)));
    }
  }

  /** Stops asking: the server no longer wants the answer. */
  cancel(id: RequestId | undefined): void {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    pending?.controller.abort(new EngineError("cancelled", this.#args(pending.method)));
  }

  /** A new session has begun: what the one before asked on its own has no answer, and its ids mean nothing any more. */
  forgetSession(): void {
    for (const { call, controller, method } of this.#pending.values())
      if (call === undefined) controller.abort(new EngineError("cancelled", this.#args(method)));
  }

  /** Tells the server from now on when the folders that it may know of have changed; once, however often it is asked. */
  tellOfRoots(send: (message: JsonRpcNotification) => Promise<void>): void {
    this.#rootsChanges ??= this.#use.features.roots?.onDidChange(() => {
      send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" }).catch((error: unknown) => {
        this.#log.write("debug", `The server could not be told of the changed folders: ${errorText(error)}`);
      });
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#rootsChanges?.dispose();
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
      .then((response) =>
        response === undefined ? undefined : send(withRelatedTask(response, relatedTask(message.params))),
      )
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
      case "sampling/createMessage":
        return this.#sample(message, relatedTo);
      case "roots/list":
        return this.#listRoots(message);
      default:
        return this.#refuse(message);
    }
  }

  #refuse(message: JsonRpcRequest): JsonRpcResponse {
    const method = shorten(message.method);
    this.#log.write("info", `The server asked for ${method}, which was not offered.`);
    return failure(message, RPC_CODES.methodNotFound, `${method} is not offered by this client`);
  }

  async #elicit(
    message: JsonRpcRequest,
    relatedTo: RequestId | undefined,
  ): Promise<JsonRpcResponse | undefined> {
    const tooLarge = this.#checkSize(message);
    if (tooLarge !== undefined) return tooLarge;
    const parsed = parseElicitation("input", message.params);
    if (parsed.kind === "unsupported") {
      const reason = shorten(parsed.reason);
      this.#log.write("warn", `Refused a request for input that MCP does not allow: ${reason}.`);
      return failure(message, RPC_CODES.invalidParams, `This form is not allowed: ${reason}`);
    }
    if (parsed.request.kind === "url" && !this.#isLatest) {
      return failure(message, RPC_CODES.invalidParams, "This mode of input was not offered");
    }
    if (parsed.request.kind === "url" && parsed.request.elicitationId !== undefined)
      this.onElicitationId?.(parsed.request.elicitationId);
    return this.#ask(message, relatedTo, parsed.request);
  }

  async #sample(
    message: JsonRpcRequest,
    relatedTo: RequestId | undefined,
  ): Promise<JsonRpcResponse | undefined> {
    const { sampling } = this.#use.features;
    if (sampling === null) {
      this.#use.notOffered("sampling", message.method);
      return this.#refuse(message);
    }
    const tooLarge = this.#checkSize(message);
    if (tooLarge !== undefined) return tooLarge;
    const parsed = parseSampling(message.params, this.#isLatest && sampling.tools);
    switch (parsed.kind) {
      case "request":
        return this.#ask(message, relatedTo, { kind: "sampling", key: "input", request: parsed.request });
      case "undeclared-tools":
        return failure(message, RPC_CODES.invalidParams, "Sampling with tools was not offered");
      case "invalid": {
        const reason = shorten(parsed.reason);
        this.#log.write("warn", `Refused a request for sampling that MCP does not allow: ${reason}.`);
        return failure(message, RPC_CODES.invalidParams, `This request is not allowed: ${reason}`);
      }
    }
  }

  /** Needs no person and belongs to no call: the folders were allowed before. */
  async #listRoots(message: JsonRpcRequest): Promise<JsonRpcResponse | undefined> {
    if (this.#use.features.roots === null) {
      this.#use.notOffered("roots", message.method);
      return this.#refuse(message);
    }
    return this.#whilePending(message, undefined, async (signal) =>
      result(message, await this.#use.listRoots(signal)),
    );
  }

  #checkSize(message: JsonRpcRequest): JsonRpcResponse | undefined {
    if (!isLargerThan(message.params, this.#inputBytes)) return undefined;
    this.#log.write("warn", `Refused a request for input of more than ${String(this.#inputBytes)} bytes.`);
    return failure(message, RPC_CODES.invalidParams, "The request is larger than a person can be asked");
  }

  async #ask(
    message: JsonRpcRequest,
    relatedTo: RequestId | undefined,
    request: InputRequest,
  ): Promise<JsonRpcResponse | undefined> {
    const found = this.#askerFor(this.#taskOf(message) ?? relatedTo);
    if (found === undefined)
      return failure(message, RPC_CODES.invalidParams, "Nobody can be asked in this call");
    try {
      if (found.call === undefined && !this.#use.mayAskUncalled())
        return failure(
          message,
          RPC_CODES.internalError,
          "Too many questions outside of calls; wait a minute",
        );
      return await this.#whilePending(message, found.call, async (signal) => {
        const answers = await found.asker.ask([request], signal);
        return result(message, answers.get(request.key) ?? { action: "cancel" });
      });
    } finally {
      found.dispose();
    }
  }

  /** Notes that a request is open while it is answered. Undefined when the server cancelled it: then nothing is sent. */
  async #whilePending(
    message: JsonRpcRequest,
    call: RequestId | undefined,
    answer: (signal: AbortSignal) => Promise<JsonRpcResponse>,
  ): Promise<JsonRpcResponse | undefined> {
    if (this.#pending.has(message.id)) {
      return failure(message, RPC_CODES.invalidRequest, "This id belongs to a request that is still open");
    }
    if (this.#pending.size >= MAX_PENDING) {
      return failure(message, RPC_CODES.internalError, "Too many requests for input are waiting");
    }
    const { method } = message;
    const pending: Pending = { controller: new AbortController(), call, method, isMoot: false };
    const { signal } = pending.controller;
    this.#pending.set(message.id, pending);
    try {
      return await answer(signal);
    } catch (error) {
      if (signal.aborted && !pending.isMoot) return undefined;
      this.#log.write("info", `${method} was not answered: ${errorText(error)}`);
      return toFailure(message, error);
    } finally {
      this.#pending.delete(message.id);
    }
  }

  /** A question of a task belongs to it, on whatever stream it comes. */
  #taskOf(message: JsonRpcRequest): RequestId | undefined {
    const taskId = relatedTask(message.params);
    const key = taskId === undefined ? undefined : taskKey(taskId);
    return key !== undefined && this.#calls.has(key) ? key : undefined;
  }

  #askerFor(relatedTo: RequestId | undefined): Asked | undefined {
    const none = (): void => undefined;
    if (relatedTo !== undefined) {
      // The call of that stream, or none: a question of a call that has ended is not another one's.
      const asker = this.#calls.get(relatedTo)?.asker;
      return asker && { asker, call: relatedTo, dispose: none };
    }
    const [only] = this.#calls;
    const asker = only?.[1].asker;
    if (asker?.canAskPerson === true && this.#calls.size === 1)
      return { asker, call: only?.[0], dispose: none };
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

/** The answer to a request that came to nothing. A question is dismissed, anything else has an error. */
function toFailure(message: JsonRpcRequest, error: unknown): JsonRpcResponse {
  if (error instanceof EngineError && error.code === "undeclared-input") {
    return failure(message, RPC_CODES.invalidParams, "This mode of input was not offered");
  }
  if (message.method === "elicitation/create") return result(message, { action: "cancel" });
  if (error instanceof EngineError && error.code === "sampling-refused") {
    return failure(message, RPC_CODES.userRejected, "The user rejected the request");
  }
  // The reason is for the person and the log: it may tell of the editor more than a server should know.
  return failure(message, RPC_CODES.internalError, "The request could not be carried out");
}
