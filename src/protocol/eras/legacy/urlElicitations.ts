import { type Clock, delay } from "../../../base/clock.ts";
import { deferred, type Deferred } from "../../../base/deferred.ts";
import { isJsonObject, type JsonValue } from "../../../base/json.ts";
import type { Log } from "../../../base/log.ts";
import { EngineError } from "../../engineError.ts";
import type { InputAsker } from "../../mrtr/inputAsker.ts";
import type { ElicitationRequest } from "../../mrtr/inputRequired.ts";
import { isLargerThan } from "../../mrtr/inputSize.ts";
import { parseElicitation } from "../../mrtr/parseInputRequest.ts";
import { RPC_CODES, RpcError } from "../../rpcError.ts";

/** Things to do elsewhere that one error may name. */
const MAX_REQUESTS = 32;
/** Ids that are remembered; a server that makes ever more of them pushes out its own oldest ones. */
const MAX_KNOWN = 256;
/** Characters of an id that is remembered. A longer one would fill the memory; it counts as none. */
const MAX_ID = 1_024;
/** How long to wait for the server's word that it is done, where nobody can be offered to go on by hand. */
const ELSEWHERE_MS = 5 * 60_000;

type UrlRequest = Extract<ElicitationRequest, { kind: "url" }>;

/**
 * What a server wants to be done in the browser before it carries out a request (error -32042): the person is asked
 * first, nothing is opened or sent without consent, and the request is made once more only after it.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error
 */
export class UrlElicitations {
  readonly #serverName: string;
  readonly #inputBytes: number;
  readonly #clock: Clock;
  readonly #log: Log;
  /** What persons were sent to do elsewhere, by the server's ids; resolved when it is done. */
  readonly #known = new Map<string, Deferred<undefined>>();
  readonly #done = new Set<string>();

  constructor(options: {
    readonly serverName: string;
    readonly inputBytes: number;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#serverName = options.serverName;
    this.#inputBytes = options.inputBytes;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Notes that a person is asked to go elsewhere under this id. */
  begin(elicitationId: string): void {
    if (elicitationId.length > MAX_ID) return;
    if (this.#known.has(elicitationId) || this.#done.has(elicitationId)) return;
    this.#known.set(elicitationId, deferred());
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
  }

  /**
   * Takes the server's word that something is done. False for ids that are unknown or were done before; an unknown one
   * is kept all the same, because the word may overtake the error that it is about.
   */
  complete(elicitationId: string): boolean {
    if (elicitationId.length > MAX_ID) return false;
    this.#done.add(elicitationId);
    for (const oldest of this.#done) {
      if (this.#done.size <= MAX_KNOWN) break;
      this.#done.delete(oldest);
    }
    const known = this.#known.get(elicitationId);
    this.#known.delete(elicitationId);
    known?.resolve(undefined);
    return known !== undefined;
  }

  /** What an error asks to be done first; undefined for every other error, and when nobody can be asked. */
  read(error: unknown, asker: InputAsker | undefined): readonly UrlRequest[] | undefined {
    if (!(error instanceof RpcError) || error.rpcCode !== RPC_CODES.urlElicitationRequired) return undefined;
    if (asker?.modes.url !== true) return undefined;
    if (isLargerThan(error.data, this.#inputBytes)) {
      const args = { server: this.#serverName, limit: this.#inputBytes, what: "input requests" };
      throw new EngineError("input-too-large", args);
    }
    return readRequests(error.data);
  }

  /**
   * Asks for consent, opens nothing itself, and waits until the server says that all is done, or the person goes on.
   * @throws EngineError `url-declined`, `too-many-rounds`; the signal's reason when the call ended
   */
  async settle(requests: readonly UrlRequest[], asker: InputAsker): Promise<void> {
    for (const { elicitationId } of requests) if (elicitationId !== undefined) this.begin(elicitationId);
    const answers = await asker.ask(requests);
    if (requests.some(({ key }) => answers.get(key)?.["action"] !== "accept")) throw this.#declined();
    const finished = new AbortController();
    void this.#allDone(requests).then(() => {
      finished.abort();
    });
    const goesOn = await asker.waitElsewhere(requests, finished.signal, async (both) => {
      await delay(this.#clock, ELSEWHERE_MS, both);
      this.#log.write("info", "The server did not say that it is done; the request is made once more.");
      return true;
    });
    if (!goesOn) throw this.#declined();
  }

  /** Never settles when one of them has no id that is remembered, because nobody will say that it is done. */
  async #allDone(requests: readonly UrlRequest[]): Promise<void> {
    for (const { elicitationId } of requests) {
      if (elicitationId === undefined || elicitationId.length > MAX_ID) await new Promise(() => undefined);
      else await this.#known.get(elicitationId)?.promise;
    }
  }

  #declined(): EngineError {
    return new EngineError("url-declined", { server: this.#serverName });
  }
}

/** All of them or none: what cannot be shown whole is not shown in part. */
function readRequests(data: JsonValue | undefined): readonly UrlRequest[] | undefined {
  const entries = isJsonObject(data) ? data["elicitations"] : undefined;
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > MAX_REQUESTS) return undefined;
  const requests: UrlRequest[] = [];
  for (const [index, entry] of entries.entries()) {
    const parsed =
      isJsonObject(entry) && entry["mode"] === "url" ? parseElicitation(String(index), entry) : undefined;
    if (parsed?.kind !== "request" || parsed.request.kind !== "url") return undefined;
    requests.push(parsed.request);
  }
  return requests;
}
