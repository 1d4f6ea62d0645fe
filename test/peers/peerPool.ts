import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createServerPool } from "../../src/client/createServerPool.ts";
import type { HttpConfig, StdioConfig } from "../../src/client/serverConfig.ts";
import type { CallOutcome, ServerPool } from "../../src/client/serverPool.ts";
import type { ServerState } from "../../src/client/serverState.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { type ClientFeatures, NO_FEATURES } from "../../src/protocol/mrtr/clientFeatures.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../../src/protocol/limits.ts";
import type { TaskReport } from "../../src/protocol/tasks/connectionTasks.ts";
import type { Progress, ToolResult } from "../../src/protocol/model/tool.ts";
import type {
  InputHandler,
  ElicitationRequest,
  InputResponse,
  InputRound,
} from "../../src/protocol/mrtr/inputRequired.ts";

/** What the pool holds while connected. */
export type Connected = Extract<ServerState, { readonly kind: "connected" }>;

/** A pool with one server, and what it did. */
export interface PeerPool {
  readonly pool: ServerPool;
  /** Every line of the log. */
  readonly log: readonly string[];
  /** Every message that was sent, as JSON. */
  readonly sent: readonly string[];
  /** Connects and gives the state. */
  readonly connect: () => Promise<Connected>;
  readonly state: () => ServerState | undefined;
  /** Resolves as soon as the state fits; the test's own limit ends the wait. */
  readonly until: (fits: (state: ServerState) => boolean) => Promise<void>;
  /** Resolves as soon as a line of the log fits. */
  readonly untilLogged: (pattern: RegExp) => Promise<void>;
  readonly call: (tool: string, args?: JsonObject, options?: PeerCall) => Promise<CallOutcome<ToolResult>>;
}

export interface PeerCall {
  readonly input?: InputHandler;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly onTask?: (report: TaskReport) => void;
}

/** The name of the one server in the pool. */
export const SERVER_ID = "peer";

/** How patient the suite is: some servers need seconds to start on a busy machine. */
const COMMON = {
  id: SERVER_ID,
  source: "user",
  enabled: true,
  autostart: false,
  chat: false,
  cache: true,
  protocol: "auto",
  minimumProtocol: "2025-06-18",
  timeouts: { ...DEFAULT_TIMEOUTS, connectMs: 60_000 },
  limits: DEFAULT_LIMITS,
} as const;

/** A server as a process of this very Node. */
export function stdioPeer(args: readonly string[], env: Readonly<Record<string, string>> = {}): StdioConfig {
  return { ...COMMON, type: "stdio", command: process.execPath, args, env, inheritEnv: [] };
}

export function httpPeer(url: string): HttpConfig {
  return { ...COMMON, type: "http", url, headers: {} };
}

/** The script behind the command of a package that is installed in this folder, or in the one below it that is named. */
export function peerScript(command: string, place = "."): string {
  return realpathSync(fileURLToPath(new URL(`${place}/node_modules/.bin/${command}`, import.meta.url)));
}

/** An entry of the demo, from its sources. */
export function demoScript(name: string): string {
  return fileURLToPath(new URL(`../../demo/${name}`, import.meta.url));
}

/** Makes a pool that trusts everything and remembers nothing. */
export function createPeerPool(
  config: StdioConfig | HttpConfig,
  input: InputHandler | null = null,
  features: ClientFeatures = NO_FEATURES,
): PeerPool {
  const log: string[] = [];
  const sent: string[] = [];
  const watchers = new Set<(line: string) => void>();
  const pool = createServerPool({
    clientInfo: { name: "signalbox-peers", version: "0.0.0" },
    log: () => ({
      write: (level, text, detail) => {
        const message = text.startsWith("→") ? detail?.() : undefined;
        if (typeof message === "string") sent.push(message);
        log.push(`${level}: ${text}`);
        for (const watch of watchers) watch(`${level}: ${text}`);
      },
    }),
    resolve: (server) => Promise.resolve({ ...server, secrets: [] }),
    approve: () => Promise.resolve(),
    input,
    features: () => features,
    verdicts: { get: () => undefined, set: () => undefined },
  });
  pool.configure({ servers: [config], problems: [] });
  const state = (): ServerState | undefined => pool.get(SERVER_ID)?.state;
  return {
    pool,
    log,
    sent,
    state,
    async connect() {
      await pool.connect(SERVER_ID);
      const now = state();
      if (now?.kind !== "connected") throw new Error(`not connected but ${now?.kind ?? "gone"}`);
      return now;
    },
    until(fits) {
      return new Promise((resolve) => {
        const check = (): void => {
          const now = state();
          if (now === undefined || !fits(now)) return;
          subscription.dispose();
          resolve();
        };
        const subscription = pool.onDidChange(check);
        check();
      });
    },
    untilLogged(pattern) {
      if (log.some((line) => pattern.test(line))) return Promise.resolve();
      return new Promise((resolve) => {
        const watch = (line: string): void => {
          if (!pattern.test(line)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
      });
    },
    call: (tool, args = {}, options = {}) =>
      pool.callTool(SERVER_ID, tool, args, { origin: "api", ...options }),
  };
}

/** A person made of a function: answers each request of each round, and remembers the rounds. */
export interface ScriptedPerson extends InputHandler {
  readonly rounds: InputRound[];
}

export function createPerson(
  answer: (request: ElicitationRequest, round: InputRound) => InputResponse | Promise<InputResponse>,
): ScriptedPerson {
  const rounds: InputRound[] = [];
  return {
    rounds,
    modes: { form: true, url: true },
    async handle(round) {
      rounds.push(round);
      const answers = round.requests.map(
        async (request) => [request.key, await answer(request, round)] as const,
      );
      return new Map(await Promise.all(answers));
    },
  };
}

/** All texts of a result. */
export function textOf({ result }: CallOutcome<ToolResult>): string {
  return result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}
