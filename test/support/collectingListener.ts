import type { LogLevel } from "../../src/base/log.ts";
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from "../../src/protocol/jsonrpc/message.ts";
import type { TransportListener } from "../../src/protocol/transports/transport.ts";

/** A transport listener that keeps what it is told, in order. */
export class CollectingListener implements TransportListener {
  readonly notifications: {
    readonly message: JsonRpcNotification;
    readonly relatedTo: RequestId | undefined;
  }[] = [];
  readonly requests: { readonly message: JsonRpcRequest; readonly relatedTo: RequestId | undefined }[] = [];
  readonly closed: Error[] = [];
  /** Resolves with the reason when the connection ends unasked. */
  readonly end: Promise<Error>;
  #resolveEnd: (reason: Error) => void = () => undefined;
  readonly #waiting: { readonly isMet: () => boolean; readonly resolve: () => void }[] = [];

  constructor() {
    this.end = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
  }

  onNotification(message: JsonRpcNotification, relatedTo: RequestId | undefined): void {
    this.notifications.push({ message, relatedTo });
    this.#look();
  }

  onRequest(message: JsonRpcRequest, relatedTo: RequestId | undefined): void {
    this.requests.push({ message, relatedTo });
    this.#look();
  }

  onClosed(reason: Error): void {
    this.closed.push(reason);
    this.#resolveEnd(reason);
  }

  /** Waits until this many notifications, or requests, have come. */
  async count(kind: "notifications" | "requests", wanted: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ isMet: () => this[kind].length >= wanted, resolve });
      this.#look();
    });
  }

  #look(): void {
    for (const { isMet, resolve } of this.#waiting) if (isMet()) resolve();
  }
}

/** A log that keeps its lines as `level text`, and what is sensitive apart. */
export class CollectingLog {
  readonly lines: string[] = [];
  readonly sensitive: string[] = [];

  write(level: LogLevel, text: string, sensitive?: () => string | object): void {
    this.lines.push(`${level} ${text}`);
    if (sensitive !== undefined) this.sensitive.push(JSON.stringify(sensitive()));
  }

  /** The lines of the levels that a person sees by default. */
  get visible(): string[] {
    return this.lines.filter((line) => /^(?:info|warn|error) /.test(line));
  }
}
