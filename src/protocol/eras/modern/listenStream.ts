import { deferred } from "../../../base/deferred.ts";
import { errorText } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import { type Channel, metaOf } from "../../channel.ts";
import { EngineError } from "../../engineError.ts";
import { isErrorResponse, type JsonRpcNotification } from "../../jsonrpc/message.ts";
import type { ServerNotice } from "../../model/notice.ts";
import type { SubscriptionFilter } from "../../model/subscriptions.ts";
import { RPC_CODES } from "../../rpcError.ts";
import { shorten } from "../../shorten.ts";
import { isAuthorizationRefusal } from "../../transports/authorizationRefusal.ts";
import { readChangeNotice } from "../readChangeNotice.ts";
import { modernHeaders } from "./envelope.ts";
import { readHonoured, toListenFilter } from "./listenFilter.ts";

const METHOD = "subscriptions/listen";
const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

/** How one listen request ended. */
export type ListenEnding =
  /** The server has no subscriptions at all. */
  | "unsupported"
  /** It refuses this one: too much is asked, or there are too many. */
  | "refused"
  /** Not with the credentials of now. */
  | "unauthorized"
  /** It ended one in good order. */
  | "closed"
  /** It cannot now: it is not well, or it has too many open. */
  | "busy"
  /** The stream broke. */
  | "dropped";

export interface ListenStreamOptions {
  readonly channel: Channel;
  readonly filter: SubscriptionFilter;
  /** Puts the era's metadata around parameters. */
  readonly envelope: (params: JsonObject) => JsonObject;
  readonly onNotice: (notice: ServerNotice) => void;
}

/**
 * One `subscriptions/listen` request from its sending to its end. It has no time limit: it lives as long as it is
 * useful.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export class ListenStream {
  readonly filter: SubscriptionFilter;
  readonly #options: ListenStreamOptions;
  readonly #acknowledged = deferred<SubscriptionFilter>();
  readonly #stop = new AbortController();
  /** Settles with what the server honours; never when it does not say. */
  readonly acknowledged = this.#acknowledged.promise;
  /** Settles once, however often and in whichever order the server says that it is over. */
  readonly ended: Promise<ListenEnding>;
  #id: number | undefined;
  #isAcknowledged = false;
  #isEndedByServer = false;

  constructor(options: ListenStreamOptions) {
    this.#options = options;
    this.filter = options.filter;
    this.ended = this.#listen();
  }

  /** Takes a notification that carries the id of this very request, with its type; false leaves it to others. */
  take(message: JsonRpcNotification): boolean {
    if (this.#id === undefined || metaOf(message.params)[SUBSCRIPTION_ID] !== this.#id) return false;
    if (message.method === "notifications/subscriptions/acknowledged") {
      this.#isAcknowledged = true;
      this.#acknowledged.resolve(readHonoured(message.params?.["notifications"], this.filter));
      return true;
    }
    const { log } = this.#options.channel;
    if (!this.#isAcknowledged)
      log.write("debug", `${shorten(message.method)} came before the acknowledgement.`);
    const notice = readChangeNotice(message);
    if (notice !== undefined && this.#isAskedFor(notice)) this.#options.onNotice(notice);
    else log.write("debug", `Ignored ${shorten(message.method)}: it was not asked for.`);
    return true;
  }

  /** Takes the server's word that it tears this request down; the result may come as well, before or after. */
  takeCancelled(requestId: unknown): boolean {
    if (this.#id === undefined || requestId !== this.#id) return false;
    this.#isEndedByServer = true;
    this.close();
    return true;
  }

  /** Ends the request and tells the server. */
  close(): void {
    this.#stop.abort(new EngineError("closed", { server: this.#options.channel.serverName }));
  }

  /** A list that was not asked for is not listened to; of a resource, one that lies below may be told. */
  #isAskedFor(notice: ServerNotice): boolean {
    switch (notice.kind) {
      case "list-changed":
        return this.filter.lists.includes(notice.list);
      case "resource-updated":
        return this.filter.resources.length > 0;
      case "task":
        return this.filter.tasks.length > 0;
      default:
        return false;
    }
  }

  async #listen(): Promise<ListenEnding> {
    const { channel, envelope } = this.#options;
    try {
      const { response, http } = await channel.exchange({
        method: METHOD,
        signal: AbortSignal.any([this.#stop.signal, channel.closed]),
        isLasting: true,
        build: (id) => {
          this.#id = id;
          return {
            params: envelope({ notifications: toListenFilter(this.filter) }),
            headers: modernHeaders(METHOD, undefined, {}),
          };
        },
        cancelMessage: (id) =>
          channel.transport.kind === "http" || this.#isEndedByServer
            ? undefined
            : { jsonrpc: "2.0", method: "notifications/cancelled", params: envelope({ requestId: id }) },
      });
      if (!isErrorResponse(response)) return "closed";
      channel.log.write("debug", `The server refused ${METHOD}: ${String(response.error.code)}.`);
      return judgeRefusal(response.error.code, http?.status);
    } catch (error) {
      if (this.#stop.signal.aborted || channel.closed.aborted) return "closed";
      channel.log.write("debug", `${METHOD} ended: ${errorText(error)}`);
      if (isAuthorizationRefusal(error)) return "unauthorized";
      return error instanceof EngineError ? judgeStatus(error.httpStatus) : "dropped";
    } finally {
      this.#id = undefined;
    }
  }
}

function judgeRefusal(code: number, httpStatus: number | undefined): ListenEnding {
  if (code === RPC_CODES.methodNotFound) return "unsupported";
  return code === RPC_CODES.internalError ? "busy" : judgeStatus(httpStatus ?? 400);
}

/** A 4xx is the server's decision; a broken stream, an outage or “too busy” is not. */
function judgeStatus(status: number | undefined): ListenEnding {
  if (status === undefined || status < 400) return "dropped";
  if (status >= 500 || status === 408 || status === 429) return "busy";
  return status === 404 || status === 405 ? "unsupported" : "refused";
}
