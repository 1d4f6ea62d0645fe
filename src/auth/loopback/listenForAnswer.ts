import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import type { Clock, Timer } from "../../base/clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../../base/disposable.ts";
import type { Log } from "../../base/log.ts";
import type { AnswerPage, AnswerTexts } from "../model/signInPorts.ts";
import { PAGE_HEADERS, answerPage } from "./answerPage.ts";
import { type BoundServers, type LoopbackHost, bindLoopback } from "./bindLoopback.ts";
import { judgeRequest } from "./judgeRequest.ts";

/** Waits for the browser on this machine. */
export interface AnswerListener extends Disposable {
  /** Where it listens, as a redirect URI. */
  readonly uri: string;
  /** Names the address under which the browser comes, when that is another one than `uri`. */
  reachedAt(uri: string): void;
  /** Answers for two more seconds, so that the page arrives and a reload of it is explained, and closes then. */
  closeSoon(): void;
}

export interface ListenOptions {
  /** The server's configured name. */
  readonly serverName: string;
  readonly host: LoopbackHost;
  /** Undefined takes any free port. */
  readonly port: number | undefined;
  /** With a leading slash, as in `/callback`. */
  readonly path: string;
  /** Sees the query of each request that is allowed, without the question mark, and says what the page shows. */
  readonly offer: (query: string) => AnswerPage;
  readonly texts: AnswerTexts;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long it answers after it has what it waited for. */
const TAIL_MS = 2_000;
/** After so many requests that were none of ours, further ones are cut off without an answer. */
const MAX_BAD_HITS = 32;
/** More open connections than a browser needs push the oldest one out, so that nobody can fill the queue. */
const MAX_SOCKETS = 8;

/** Those that only explain a reload any more. */
const tails = new Set<LoopbackListener>();

/**
 * Listens on this machine alone for the browser that comes back from an authorization server.
 * Rejects with AuthError `port-taken` when a port was named and cannot be had.
 */
export async function listenForAnswer(options: ListenOptions): Promise<AnswerListener> {
  // The next sign-in needs the port that its client was registered with, and may begin right after the last.
  for (const tail of tails) if (tail.port === options.port) tail.release();
  const listener = new LoopbackListener(options);
  await listener.open();
  return listener;
}

class LoopbackListener implements AnswerListener {
  readonly #options: ListenOptions;
  readonly #sockets = new Set<Socket>();
  readonly #hosts = new Set<string>();
  readonly #outerPaths: string[] = [];
  #servers: BoundServers | undefined;
  #tail: Timer | undefined;
  #badHits = 0;
  #isDisposed = false;

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { host, port, serverName } = this.#options;
    this.#servers = await bindLoopback(
      { host, port, serverName },
      {
        connected: (socket) => this.#hold(socket),
        requested: (request, response) => this.#serve(request, response),
        garbled: () => this.#countBadHit(),
      },
    );
    this.#hosts.add(new URL(this.uri).host);
    trackDisposable(this);
  }

  get port(): number | undefined {
    return this.#servers?.port;
  }

  get uri(): string {
    return `http://${this.#options.host}:${this.port ?? 0}${this.#options.path}`;
  }

  reachedAt(uri: string): void {
    const { host, pathname } = new URL(uri);
    this.#hosts.add(host.toLowerCase());
    this.#outerPaths.push(pathname);
  }

  closeSoon(): void {
    if (this.#isDisposed) return;
    tails.add(this);
    this.#tail ??= this.#options.clock.after(TAIL_MS, () => this.dispose());
  }

  /** Gives the port up. What is on its way to the browser gets there. */
  release(): void {
    this.#servers?.close();
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    tails.delete(this);
    untrackDisposable(this);
    this.#tail?.dispose();
    this.#servers?.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => this.#sockets.delete(socket));
    const [oldest] = this.#sockets;
    if (this.#sockets.size > MAX_SOCKETS) oldest?.destroy();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const destination = request.headers["sec-fetch-dest"];
    const verdict = judgeRequest(
      {
        method: request.method ?? "",
        target: request.url ?? "",
        host: request.headers.host,
        destination: Array.isArray(destination) ? destination.join() : destination,
      },
      { path: this.#options.path, hosts: this.#hosts, outerPaths: this.#outerPaths },
    );
    if (verdict.kind === "refused") {
      this.#refuse(response, verdict.status);
      return;
    }
    const { texts, serverName, offer } = this.#options;
    const page = offer(verdict.query);
    const isStrange = page === "unknown" || page === "unreadable";
    if (isStrange && this.#countBadHit()) {
      response.destroy();
      return;
    }
    const { status, html } = answerPage(page, texts, serverName);
    response.writeHead(status, PAGE_HEADERS).end(html);
  }

  #refuse(response: ServerResponse, status: number): void {
    if (this.#countBadHit()) response.destroy();
    else response.writeHead(status, { ...PAGE_HEADERS, "content-type": "text/plain; charset=utf-8" }).end();
  }

  /** True when there were too many. The right answer is taken all the same, or anybody could keep it away. */
  #countBadHit(): boolean {
    this.#badHits += 1;
    if (this.#badHits === 1 || this.#badHits === MAX_BAD_HITS) {
      const { log, serverName } = this.#options;
      log.write(
        "debug",
        `${serverName}: ${this.#badHits} request(s) that answer no sign-in reached its listener`,
      );
    }
    return this.#badHits > MAX_BAD_HITS;
  }
}
