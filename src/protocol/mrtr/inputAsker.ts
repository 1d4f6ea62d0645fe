import { abortable } from "../../base/abortable.ts";
import type { CallScope } from "../../base/callScope.ts";
import type { JsonObject } from "../../base/json.ts";
import { EngineError } from "../engineError.ts";
import type { SamplingRequest } from "../model/sampling.ts";
import type { FeatureName } from "./clientFeatures.ts";
import type { FeatureUse } from "./featureUse.ts";
import type { ElicitationRequest, InputHandler, InputModes, InputRequest } from "./inputRequired.ts";
import { toElicitResult } from "./parseInputRequest.ts";
import { toCreateMessageResult } from "./samplingResult.ts";

/** What an asker needs to know about its call. */
export interface InputAskerOptions {
  /** Null when no person can be asked in this call: then no model is either. */
  readonly handler: InputHandler | null;
  readonly use: FeatureUse;
  readonly scope: CallScope;
  readonly callId: string;
  readonly serverName: string;
  readonly method: string;
  readonly target: string | undefined;
  readonly maxRounds: number;
}

/**
 * Asks on behalf of one call: the person for input, a model through the person, the editor for folders; and counts
 * the rounds. Time does not run while a person is asked. It is the same in both eras, so that limits and questions
 * are too.
 */
export class InputAsker {
  readonly #options: InputAskerOptions;
  #rounds = 0;

  constructor(options: InputAskerOptions) {
    this.#options = options;
  }

  /** Everything that can be answered in this call. */
  get modes(): InputModes {
    return offeredModes(this.#options.handler, this.#options.use);
  }

  /** True when a person can be asked. */
  get canAskPerson(): boolean {
    return this.#options.handler !== null;
  }

  /** Rounds begun so far. */
  get rounds(): number {
    return this.#rounds;
  }

  /**
   * Counts a round, with or without questions.
   * @throws EngineError `too-many-rounds`
   */
  beginRound(): number {
    const { maxRounds, serverName, method } = this.#options;
    if (this.#rounds >= maxRounds) {
      throw new EngineError("too-many-rounds", { server: serverName, rounds: maxRounds, method });
    }
    this.#rounds += 1;
    return this.#rounds;
  }

  /** The error for a feature that the server wants and that was not declared for this call. */
  notOffered(feature: FeatureName): EngineError {
    return this.#options.use.notOffered(feature, this.#options.method);
  }

  /**
   * Checks that nothing undeclared is asked, then asks. Gives for each request's key its result as the wire has it,
   * in every revision the same. `withdrawn` ends the questions but not the call.
   *
   * A refused or failed request for a model rejects: unlike a declined question it has no answer to send.
   *
   * @throws EngineError `undeclared-input`, `sampling-off`, `roots-off`, `sampling-refused`, `sampling-too-often`,
   * `too-many-rounds`; whatever the ports throw; the signal's reason when aborted
   */
  async ask(
    requests: readonly InputRequest[],
    withdrawn?: AbortSignal,
  ): Promise<ReadonlyMap<string, JsonObject>> {
    const { scope, use } = this.#options;
    const signal = withdrawn === undefined ? scope.signal : AbortSignal.any([scope.signal, withdrawn]);
    for (const request of requests) this.#refuseUndeclared(request);
    const round = this.beginRound();
    const results = new Map<string, JsonObject>();
    const questions = requests.filter((request) => request.kind === "form" || request.kind === "url");
    for (const [key, result] of await this.#elicit(questions, round, signal)) results.set(key, result);
    for (const request of requests) {
      if (request.kind === "sampling")
        results.set(request.key, await this.#sample(request.request, round, signal));
      if (request.kind === "roots") results.set(request.key, await use.listRoots(signal));
      signal.throwIfAborted();
    }
    return results;
  }

  /**
   * Waits while a person does elsewhere what was accepted in this round, until `finished` is aborted or the person
   * goes on; `unattended` waits instead where nobody can choose. False when the person gives up.
   */
  async waitElsewhere(
    requests: readonly ElicitationRequest[],
    finished: AbortSignal,
    unattended: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean> {
    const { handler, scope } = this.#options;
    const signal = AbortSignal.any([scope.signal, finished]);
    const isDone = (): boolean => finished.aborted;
    scope.signal.throwIfAborted();
    if (isDone()) return true;
    const pause = scope.pause();
    try {
      const offered = handler?.waitElsewhere?.({ ...this.#call(this.#rounds), requests }, signal);
      return await (offered === undefined ? unattended(signal) : abortable(offered, signal));
    } catch (error) {
      scope.signal.throwIfAborted();
      if (isDone()) return true;
      throw error;
    } finally {
      pause.dispose();
    }
  }

  #refuseUndeclared(request: InputRequest): void {
    const { modes } = this;
    const { serverName: server, method } = this.#options;
    switch (request.kind) {
      case "form":
      case "url":
        if (!modes[request.kind])
          throw new EngineError("undeclared-input", { server, kind: request.kind, method });
        return;
      case "sampling":
        if (modes.sampling === undefined) throw this.notOffered("sampling");
        if (modes.sampling === "text" && request.request.toolChoice !== undefined) {
          throw new EngineError("undeclared-input", { server, kind: "sampling with tools", method });
        }
        return;
      case "roots":
        if (modes.roots !== true) throw this.notOffered("roots");
    }
  }

  /** An answer for every question: one that nobody answered was dismissed. */
  async #elicit(
    requests: readonly ElicitationRequest[],
    round: number,
    signal: AbortSignal,
  ): Promise<readonly (readonly [string, JsonObject])[]> {
    const { handler, scope } = this.#options;
    if (requests.length === 0 || handler === null) return [];
    const pause = scope.pause();
    try {
      const answers = await handler.handle({ ...this.#call(round), requests }, signal);
      signal.throwIfAborted();
      return requests.map((request) => [
        request.key,
        toElicitResult(request, answers.get(request.key) ?? { action: "cancel" }),
      ]);
    } finally {
      pause.dispose();
    }
  }

  async #sample(request: SamplingRequest, round: number, signal: AbortSignal): Promise<JsonObject> {
    const { use, scope, serverName: server, method } = this.#options;
    const { sampling } = use.features;
    if (sampling === null) throw this.notOffered("sampling");
    use.beginSampling();
    const pause = scope.pause();
    try {
      const outcome = await sampling.createMessage({ ...this.#call(round), request }, signal);
      signal.throwIfAborted();
      if (outcome.kind === "refused") throw new EngineError("sampling-refused", { server, method });
      return toCreateMessageResult(request, outcome.message);
    } finally {
      pause.dispose();
    }
  }

  #call(round: number): {
    callId: string;
    serverId: string;
    method: string;
    target: string | undefined;
    round: number;
    maxRounds: number;
  } {
    const { callId, serverName, method, target, maxRounds } = this.#options;
    return { callId, serverId: serverName, method, target, round, maxRounds };
  }
}

/** What can be answered with a handler and features. Without a person nothing goes to a model. */
export function offeredModes(handler: InputHandler | null, use: FeatureUse): InputModes {
  const { sampling, roots } = use.features;
  return {
    form: handler?.modes.form ?? false,
    url: handler?.modes.url ?? false,
    ...(handler !== null && sampling !== null && { sampling: sampling.tools ? "tools" : "text" }),
    ...(roots !== null && { roots: true }),
  };
}
