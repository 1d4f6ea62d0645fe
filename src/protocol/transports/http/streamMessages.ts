import type { Log } from "../../../base/log.ts";
import { isErrorResponse, type JsonRpcResponse, type RequestId } from "../../jsonrpc/message.ts";
import { isTextOf, type ParsedMessage, parseMessage } from "../parseMessage.ts";
import type { TransportListener } from "../transport.ts";
import type { StreamEvent } from "./eventStream.ts";

/** Where the messages of one event stream go. */
export interface StreamTarget {
  readonly listener: TransportListener;
  readonly log: Log;
  /** The request whose stream this is; undefined for the legacy GET stream. */
  readonly requestId: RequestId | undefined;
  /** The answer to that request. */
  onResponse(response: JsonRpcResponse): void;
  /** Something that was meant to be the answer, and is no message. */
  onInvalidAnswer(reason: string): void;
}

/** Hands on the message in one event. Anything that is none is logged and skipped: the stream goes on. */
export function deliverEvent(event: StreamEvent, target: StreamTarget): void {
  const text = messageText(event, target.log);
  if (text !== undefined) deliverMessage(parseMessage(text), text, target);
}

/** The text of an event that should hold a message. */
export function messageText({ type, data }: StreamEvent, log: Log): string | undefined {
  if (type !== "message") {
    log.write("debug", "Skipped an event of another type than “message”", () => data.slice(0, 2_000));
    return undefined;
  }
  log.write("trace", "← event", () => data);
  return data;
}

/** Hands on what the text of an event turned out to be. */
export function deliverMessage(parsed: ParsedMessage, text: string, target: StreamTarget): void {
  const { listener, log, requestId } = target;
  const content = (): string => text.slice(0, 2_000);
  switch (parsed.kind) {
    case "notification":
      listener.onNotification(parsed.message, requestId);
      return;
    case "request":
      listener.onRequest(parsed.message, requestId);
      return;
    case "response":
      deliverResponse(parsed.message, target);
      return;
    case "invalid":
      log.write("warn", `Skipped an event that is no message: ${parsed.reason}`, content);
      if (
        requestId !== undefined &&
        (parsed.answerTo === requestId || isTextOf(parsed.answerTo, requestId))
      ) {
        target.onInvalidAnswer(parsed.reason);
      }
      return;
    case "not-json":
      log.write("warn", "Skipped an event that is not JSON", content);
  }
}

function deliverResponse(response: JsonRpcResponse, target: StreamTarget): void {
  const { requestId, log } = target;
  const { id } = response;
  if (requestId !== undefined) {
    if (id === requestId) {
      target.onResponse(response);
      return;
    }
    // An error without an id can only be about the one request of this stream.
    const isOurs =
      isTextOf(id, requestId) || (isErrorResponse(response) && (id === undefined || id === null));
    if (isOurs) {
      log.write("warn", `The answer to request ${String(requestId)} came with another form of its id`);
      target.onResponse(response);
      return;
    }
  }
  log.write("warn", "Dropped an answer that does not belong to this stream");
}
