import type { JsonValue } from "../../src/base/json.ts";

/**
 * Scripted MCP servers on standard input and output, which can misbehave byte by byte.
 *
 *     const { command, args } = scriptedStdio((server) => {
 *       server.on("tools/list", (request) => server.reply(request, { tools: [] }));
 *       server.on("tools/call", () => server.exit(7));
 *     });
 *
 * The script runs in a process of its own: it is sent there as text, so that it can use its parameter, Node's
 * globals and nothing else of the file it stands in. What it needs from there goes through `data`.
 * Messages that no handler takes are ignored, as a server that hangs would do.
 */
export function scriptedStdio(
  script: (server: ScriptedServer) => void,
  data: JsonValue = null,
): { readonly command: string; readonly args: readonly string[] } {
  const source = `(${runServer.toString()})(${script.toString()}, ${JSON.stringify(data)});`;
  return { command: process.execPath, args: ["--input-type=module", "--eval", source] };
}

/** A message as it came in. */
export interface ScriptedMessage {
  readonly id?: string | number;
  readonly method?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Scripts look into messages freely.
  readonly params?: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- As above.
  readonly result?: any;
}

/** What a script can do. */
export interface ScriptedServer {
  /** What the test handed over. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- The test knows what it gave.
  readonly data: any;
  /** Handles a method: requests and notifications alike. `*` takes what no other handler takes, answers too. */
  on(method: string, handler: (message: ScriptedMessage) => void): void;
  /** Answers a request. */
  reply(request: ScriptedMessage, result: object): void;
  /** Answers a request with an error. */
  fail(request: ScriptedMessage, code: number, message?: string, data?: unknown): void;
  /** Writes one message as a line. */
  send(message: object): void;
  notify(method: string, params?: object): void;
  /** Writes text or bytes to stdout as they are, in one write. */
  raw(content: string | readonly number[]): void;
  /** Writes text to stdout one byte per write, each flushed before the next. */
  trickle(text: string): Promise<void>;
  stderr(text: string): void;
  exit(code: number): void;
  /** Ends this process with a signal, as a crash does. */
  crash(signal?: NodeJS.Signals): void;
  /** Closes stdout and lives on. */
  closeOutput(): void;
  /** Stays alive when its input ends. */
  ignoreEnd(): void;
  /** Stays alive when it is asked to terminate. */
  ignoreTerm(): void;
  after(delayMs: number, run: () => void): void;
}

function runServer(script: (server: ScriptedServer) => void, data: JsonValue): void {
  const handlers = new Map<string, (message: ScriptedMessage) => void>();
  let endsWithInput = true;
  const write = (content: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => process.stdout.write(content, () => resolve()));
  const server: ScriptedServer = {
    data,
    on: (method, handler) => void handlers.set(method, handler),
    reply: (request, result) => server.send({ jsonrpc: "2.0", id: request.id, result }),
    fail: (request, code, message = "failed", errorData) =>
      server.send({ jsonrpc: "2.0", id: request.id, error: { code, message, data: errorData } }),
    send: (message) => void write(`${JSON.stringify(message)}\n`),
    notify: (method, params) =>
      server.send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) }),
    raw: (content) => void write(typeof content === "string" ? content : Uint8Array.from(content)),
    trickle: async (text) => {
      for (const byte of new TextEncoder().encode(text)) {
        await write(Uint8Array.of(byte));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    stderr: (text) => void process.stderr.write(text),
    exit: (code) => process.exit(code),
    crash: (signal = "SIGKILL") => void process.kill(process.pid, signal),
    closeOutput: () => void import("node:fs").then(({ closeSync }) => closeSync(1)),
    ignoreEnd: () => {
      endsWithInput = false;
      setInterval(() => undefined, 1_000);
    },
    ignoreTerm: () => void process.on("SIGTERM", () => undefined),
    after: (delayMs, run) => void setTimeout(run, delayMs),
  };
  script(server);
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as ScriptedMessage;
      (handlers.get(message.method ?? "*") ?? handlers.get("*"))?.(message);
    }
  });
  process.stdin.on("end", () => {
    if (endsWithInput) process.exit(0);
  });
}
