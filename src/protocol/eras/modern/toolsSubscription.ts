import { type Clock, delay } from "../../../base/clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../../../base/disposable.ts";
import { errorText } from "../../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../../base/json.ts";
import { type Channel, metaOf } from "../../channel.ts";
import { EngineError } from "../../engineError.ts";
import { isErrorResponse, type JsonRpcNotification } from "../../jsonrpc/message.ts";
import { modernHeaders } from "./envelope.ts";

const METHOD = "subscriptions/listen";
const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";
const FIRST_DELAY_MS = 1_000;
const LAST_DELAY_MS = 60_000;

export interface ToolsSubscriptionOptions {
  readonly channel: Channel;
  /** Puts the era's metadata around parameters. */
  readonly envelope: (params: JsonObject) => JsonObject;
  /** Called when the list may have changed: on a notification, and after every gap in which one could be missed. */
  readonly onChanged: () => void;
}

/** How one listen request ended. */
type Ending = "refused" | "closed" | "dropped";

/**
 * Listens for changes of the tool list for as long as the connection lives. What the server does not honour is done
 * without; a stream that drops is opened again after a growing pause and the list is read anew, because
 * missed notifications are not repeated. Nothing of this can fail a call.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export class ToolsSubscription implements Disposable {
  readonly #options: ToolsSubscriptionOptions;
  readonly #stop = new AbortController();
  /** The id of the listen request under way; notifications must carry it, with its very type. */
  #id: number | undefined;
  /** Set once there was a gap in which a change could be missed. */
  #isReopened = false;

  constructor(options: ToolsSubscriptionOptions) {
    this.#options = options;
    trackDisposable(this);
    void this.#run();
  }

  /** Takes a notification that belongs to this subscription; false leaves it to others. */
  take(message: JsonRpcNotification): boolean {
    if (this.#id === undefined || metaOf(message.params)[SUBSCRIPTION_ID] !== this.#id) return false;
    if (message.method === "notifications/subscriptions/acknowledged") {
      const honoured = message.params?.["notifications"];
      const isHonoured = isJsonObject(honoured) && honoured["toolsListChanged"] === true;
      const words = isHonoured ? "will tell when its tools change" : "does not tell when its tools change";
      this.#options.channel.log.write("debug", `The server ${words}.`);
      if (this.#isReopened) this.#options.onChanged();
    } else if (message.method === "notifications/tools/list_changed") {
      this.#options.onChanged();
    }
    return true;
  }

  dispose(): void {
    untrackDisposable(this);
    this.#stop.abort(new EngineError("closed", { server: this.#options.channel.serverName }));
  }

  async #run(): Promise<void> {
    const { channel } = this.#options;
    const signal = AbortSignal.any([this.#stop.signal, channel.closed]);
    let pauseMs = FIRST_DELAY_MS;
    for (;;) {
      const openedAt = channel.clock.now();
      const ending = await this.#listen(signal);
      if (ending === "refused" || signal.aborted) return;
      this.#isReopened = true;
      // A server that closes in good order is not pestered; one that held long enough is well again.
      if (ending === "closed") pauseMs = LAST_DELAY_MS;
      else if (channel.clock.now() - openedAt > LAST_DELAY_MS) pauseMs = FIRST_DELAY_MS;
      if (!(await waited(channel.clock, pauseMs / 2 + (Math.random() * pauseMs) / 2, signal))) return;
      pauseMs = Math.min(pauseMs * 2, LAST_DELAY_MS);
    }
  }

  async #listen(signal: AbortSignal): Promise<Ending> {
    const { channel, envelope } = this.#options;
    try {
      const { response } = await channel.exchange({
        method: METHOD,
        signal,
        isLasting: true,
        build: (id) => {
          this.#id = id;
          return {
            params: envelope({ notifications: { toolsListChanged: true } }),
            headers: modernHeaders(METHOD, undefined, {}),
          };
        },
        cancelMessage: (id) =>
          channel.transport.kind === "http"
            ? undefined
            : {
                jsonrpc: "2.0",
                method: "notifications/cancelled",
                params: envelope({ requestId: id }),
              },
      });
      if (!isErrorResponse(response)) return "closed";
      channel.log.write("debug", `The server refused ${METHOD}: ${String(response.error.code)}.`);
      return "refused";
    } catch (error) {
      if (!signal.aborted) channel.log.write("debug", `${METHOD} ended: ${errorText(error)}`);
      return isRefusal(error) ? "refused" : "dropped";
    } finally {
      this.#id = undefined;
    }
  }
}

/** A 4xx is the server's decision; a broken stream or an outage is not. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof EngineError ? error.httpStatus : undefined;
  return status !== undefined && status >= 400 && status < 500;
}

async function waited(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(clock, delayMs, signal);
    return true;
  } catch {
    return false;
  }
}
