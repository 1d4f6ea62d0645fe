import type { ChildProcessWithoutNullStreams } from "node:child_process";

import { rejected } from "../../../base/abortable.ts";
import { type Clock, systemClock } from "../../../base/clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../../../base/disposable.ts";
import { stringifyJson } from "../../../base/json.ts";
import type { Log } from "../../../base/log.ts";
import { EngineError } from "../../engineError.ts";
import type { JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../../jsonrpc/message.ts";
import type { Limits } from "../../limits.ts";
import { guardListener } from "../guardListener.ts";
import { MessageInbox } from "../messageInbox.ts";
import { type ParsedMessage, snippet } from "../parseMessage.ts";
import type { ExchangeOptions, ExchangeResult, StdioTransport, TransportListener } from "../transport.ts";
import { cleanLine } from "./cleanLine.ts";
import { LineFramer } from "./lineFraming.ts";
import { LineOutput } from "./lineOutput.ts";
import { PendingExchanges } from "./pendingExchanges.ts";
import { ProcessTree } from "./processTree.ts";
import { shutDown } from "./shutdown.ts";
import { spawnServer } from "./spawnServer.ts";
import { StderrTail } from "./stderrTail.ts";
import { wireText } from "../wireText.ts";

/** How to start and bound one server process. Strings are resolved: no placeholders are left. */
export interface StdioTransportOptions {
  readonly serverName: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The extension host's own directory when left out. */
  readonly cwd?: string | undefined;
  /** The whole environment of the child, as `buildEnvironment` makes it. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly log: Log;
  readonly clock?: Clock;
  readonly platform?: NodeJS.Platform;
}

/** After the exit, how long output may still come from the pipes: another process can hold them open. */
const DRAIN_MS = 500;
/** After a pipe was closed by the server, how long its exit may take. */
const EXIT_MS = 1_000;

/** JSON-RPC over the standard input and output of a child process. It is started by `start`, once. */
export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  return new ProcessTransport(options);
}

class ProcessTransport implements StdioTransport {
  readonly kind = "stdio";
  readonly #options: StdioTransportOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #pending = new PendingExchanges();
  readonly #framer: LineFramer;
  readonly #inbox: MessageInbox;
  readonly #stderr: StderrTail;
  readonly #hurry = new AbortController();
  #listener: TransportListener | undefined;
  #starting: Promise<void> | undefined;
  #child: ChildProcessWithoutNullStreams | undefined;
  #output: LineOutput | undefined;
  #tree: ProcessTree | undefined;
  /** Set when the connection has ended, for whatever reason; nothing is delivered from then on. */
  #ended: Error | undefined;
  #timer: Disposable | undefined;
  #shutdown: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log;
    this.#framer = new LineFramer(options.limits.messageBytes, (line) => {
      this.#receive(line);
    });
    const source = { pause: () => this.#child?.stdout.pause(), resume: () => this.#child?.stdout.resume() };
    this.#inbox = new MessageInbox(source, (parsed, text) => this.#deliver(parsed, text));
    this.#stderr = new StderrTail(options.limits.stderrBytes, (line) => {
      this.#log.write("info", `stderr: ${line}`);
    });
    trackDisposable(this);
  }

  start(listener: TransportListener): Promise<void> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (this.#starting !== undefined) throw new Error("A stdio transport starts once");
    this.#listener = guardListener(listener, this.#log);
    this.#starting = this.#start();
    return this.#starting;
  }

  exchange(request: JsonRpcRequest, { signal }: ExchangeOptions): Promise<ExchangeResult> {
    try {
      signal.throwIfAborted();
      const output = this.#openInput(request);
      const line = this.#encode(request);
      const answer = this.#pending.add(request.id, request.method, signal);
      // A write that fails is followed by the end of the connection, which rejects the exchange with the reason.
      output.write(line);
      return answer;
    } catch (error) {
      return rejected(error as Error);
    }
  }

  async send(message: JsonRpcNotification | JsonRpcResponse, options: ExchangeOptions): Promise<void> {
    const { signal } = options;
    signal.throwIfAborted();
    const output = this.#openInput(message);
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      output.write(this.#encode(message), (error) => {
        signal.removeEventListener("abort", onAbort);
        if (error === null || error === undefined) resolve();
        else reject(this.#ended ?? this.#closedError(error));
      });
    });
  }

  stderrTail(): string {
    return this.#stderr.text();
  }

  close(): Promise<void> {
    if (this.#closing !== undefined) {
      this.#hurry.abort();
      return this.#closing;
    }
    untrackDisposable(this);
    this.#end(this.#closedError(), "asked");
    // A process that is just being started must be stopped as well.
    const started = this.#starting?.catch(() => undefined) ?? Promise.resolve();
    this.#closing = started.then(() => this.#stopProcess());
    return this.#closing;
  }

  dispose(): void {
    if (this.#closing === undefined) void this.close();
  }

  async #start(): Promise<void> {
    const { platform = process.platform } = this.#options;
    let child: ChildProcessWithoutNullStreams;
    try {
      child = await spawnServer({ ...this.#options, platform });
    } catch (error) {
      this.#ended ??= this.#closedError(error);
      throw error;
    }
    this.#child = child;
    this.#output = new LineOutput(child.stdin);
    this.#watch(child, new ProcessTree(child, platform !== "win32"));
    if (this.#ended !== undefined) throw this.#ended;
    this.#log.write("info", `Started process ${String(child.pid)}`);
  }

  #watch(child: ChildProcessWithoutNullStreams, tree: ProcessTree): void {
    this.#tree = tree;
    child.on("error", (error) => {
      this.#log.write("warn", `Process ${String(child.pid)}: ${error.message}`);
    });
    child.stdin.on("error", (error) => {
      this.#log.write("debug", `stdin: ${error.message}`);
      this.#expectExit("it closed its input");
    });
    child.stdout.on("data", (chunk: Buffer) => {
      if (this.#ended !== undefined) return;
      if (this.#framer.push(chunk) === "too-long") this.#giveUp(this.#tooLarge());
    });
    child.stdout.on("end", () => {
      if (this.#ended !== undefined) return;
      this.#framer.end();
      this.#expectExit("it closed its output");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr.push(chunk);
    });
    child.stderr.on("end", () => {
      this.#stderr.end();
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("error", (error) => {
        this.#log.write("debug", `Reading from process ${String(child.pid)}: ${error.message}`);
      });
    }
    child.once("exit", (code, signal) => {
      const exit = signal === null ? `exit code ${String(code)}` : `signal ${signal}`;
      this.#log.write("info", `Process ${String(child.pid)} ended: ${exit}`);
      const onDrained = (): void => {
        this.#giveUp(this.#exited(exit));
      };
      child.once("close", onDrained);
      this.#setTimer(DRAIN_MS, onDrained);
    });
  }

  #receive(line: string): void {
    if (this.#ended !== undefined) return;
    const text = cleanLine(line);
    if (text.trim() === "") return;
    this.#log.write("trace", "← stdout", () => text);
    this.#inbox.put(text);
  }

  #deliver(parsed: ParsedMessage, text: string): void {
    if (this.#ended !== undefined) return;
    switch (parsed.kind) {
      case "response":
        this.#settle(parsed.message, text);
        return;
      case "notification":
        this.#listener?.onNotification(parsed.message, undefined);
        return;
      case "request":
        this.#listener?.onRequest(parsed.message, undefined);
        return;
      case "invalid":
        this.#refuse(parsed.reason, parsed.answerTo, text);
        return;
      case "not-json":
        // A broken frame may hold an answer, which is not for every log; plain noise is.
        if (text.startsWith("{") || text.includes('"jsonrpc"'))
          this.#warn("Skipped a line on stdout that is broken JSON", text);
        else {
          this.#log.write("warn", `Skipped a line on stdout that is no message: ${snippet(text)}`);
          this.#stderr.note(snippet(text));
        }
    }
  }

  #settle(response: JsonRpcResponse, text: string): void {
    const { id } = response;
    if (id === undefined || id === null) {
      this.#warn("Received an error that belongs to no request", text);
      return;
    }
    const pending = this.#pending.find(id);
    if (pending === undefined) {
      this.#log.write("debug", `Dropped an answer to request ${snippet(String(id))}: nobody waits for it`);
      return;
    }
    if (pending !== id)
      this.#log.write("warn", `The answer to request ${String(pending)} came with its id as a text`);
    this.#pending.resolve(pending, response);
  }

  /** An answer that is no valid message fails its request at once, rather than leaving it to the time-out. */
  #refuse(reason: string, answerTo: string | number | undefined, text: string): void {
    this.#warn(`Skipped an invalid message: ${reason}`, text);
    const id = answerTo === undefined ? undefined : this.#pending.find(answerTo);
    if (id === undefined) return;
    const method = this.#pending.methodOf(id) ?? "";
    this.#pending.reject(
      id,
      new EngineError("not-json-rpc", { server: this.#options.serverName, method, reason }),
    );
  }

  #openInput(message: JsonRpcRequest | JsonRpcNotification | JsonRpcResponse): LineOutput {
    if (this.#ended !== undefined) throw this.#ended;
    if (this.#output === undefined)
      throw new Error(`Not started: cannot send ${stringifyJson(message).slice(0, 80)}`);
    const limit = this.#options.limits.messageBytes;
    // What the server does not read piles up here; a single large message may pass, a heap of them may not.
    if (this.#output.waiting > limit) {
      throw new EngineError("input-blocked", { server: this.#options.serverName, limit });
    }
    return this.#output;
  }

  #encode(message: JsonRpcRequest | JsonRpcNotification | JsonRpcResponse): string {
    const text = stringifyJson(message);
    this.#log.write("trace", "→ stdin", () => wireText(message));
    return `${text}\n`;
  }

  /** A server that closes a pipe is ending; its exit code says more, so that is waited for a moment. */
  #expectExit(what: string): void {
    if (this.#ended !== undefined || this.#timer !== undefined) return;
    this.#setTimer(EXIT_MS, () => {
      this.#giveUp(this.#exited(what));
    });
  }

  #setTimer(delayMs: number, run: () => void): void {
    this.#timer?.dispose();
    this.#timer = this.#ended === undefined ? this.#clock.after(delayMs, run) : undefined;
  }

  /** Ends the connection on our own account, and whatever is left of the process. */
  #giveUp(reason: Error): void {
    if (this.#ended !== undefined) return;
    this.#framer.end();
    this.#inbox.whenRead(() => {
      this.#end(reason, "unasked");
      void this.#stopProcess();
    });
  }

  #end(reason: Error, how: "asked" | "unasked"): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#pending.rejectAll(reason);
    const listener = this.#listener;
    this.#listener = undefined;
    if (how === "unasked") listener?.onClosed(reason);
  }

  #stopProcess(): Promise<void> {
    this.#shutdown ??= this.#shutDown();
    return this.#shutdown;
  }

  async #shutDown(): Promise<void> {
    const child = this.#child;
    const tree = this.#tree;
    if (child === undefined || tree === undefined) return;
    const isGone = await shutDown(tree, () => this.#output?.end(), this.#clock, this.#hurry.signal);
    if (!isGone) this.#log.write("error", `Process ${String(child.pid)} could not be ended`);
    tree.forget();
    // Something outside the group may still hold the pipes; they are ours to close.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }

  #warn(text: string, content: string): void {
    this.#log.write("warn", text, () => content.slice(0, 2_000));
  }

  #closedError(cause?: unknown): EngineError {
    return new EngineError("closed", { server: this.#options.serverName }, { cause });
  }

  #tooLarge(): EngineError {
    const { serverName, limits } = this.#options;
    return new EngineError("message-too-large", { server: serverName, limit: limits.messageBytes });
  }

  #exited(exit: string): EngineError {
    const detail = this.stderrTail();
    return new EngineError("process-exited", { server: this.#options.serverName, exit }, { detail });
  }
}
