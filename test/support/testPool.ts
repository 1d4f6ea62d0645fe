import type { JsonObject } from "../../src/base/json.ts";
import { createServerPool } from "../../src/client/createServerPool.ts";
import { parseServers } from "../../src/client/parseServers.ts";
import type { PoolPorts, ServerPool } from "../../src/client/serverPool.ts";
import type { ServerState } from "../../src/client/serverState.ts";
import type { InputHandler, InputResponse, InputRound } from "../../src/protocol/mrtr/inputRequired.ts";
import type { Negotiation } from "../../src/protocol/model/server.ts";
import { CollectingLog } from "./collectingListener.ts";

/** A pool whose surroundings are in memory: no approval, no placeholders, answers from a script. */
export class TestPool {
  readonly pool: ServerPool;
  readonly log = new CollectingLog();
  readonly verdicts = new Map<string, JsonObject>();
  readonly rounds: InputRound[] = [];

  constructor(
    servers: Readonly<Record<string, JsonObject>>,
    answer?: Answer,
    ports: Partial<PoolPorts> = {},
  ) {
    this.pool = createServerPool({
      clientInfo: { name: "signalbox-test", version: "1" },
      log: () => this.log,
      // The hedge is no setting; tests that meet it should not wait for its three seconds.
      resolve: (config) =>
        Promise.resolve({ ...config, timeouts: { ...config.timeouts, hedgeMs: 150 }, secrets: [] }),
      approve: () => Promise.resolve(),
      input: answer === undefined ? null : this.#handler(answer),
      verdicts: {
        get: (key) => this.verdicts.get(key),
        set: (key, verdict) => {
          if (verdict === undefined) this.verdicts.delete(key);
          else this.verdicts.set(key, verdict);
        },
      },
      ...ports,
    });
    this.pool.configure(parseServers(servers, "user"));
  }

  /** Connects and answers how the era was decided. */
  async connect(id = "s"): Promise<Negotiation> {
    await this.pool.connect(id);
    const state = this.state(id);
    if (state.kind !== "connected") throw new Error(`It is ${state.kind}`);
    return state.negotiation;
  }

  state(id = "s"): ServerState {
    const entry = this.pool.get(id);
    if (entry === undefined) throw new Error(`There is no server ${id}`);
    return entry.state;
  }

  /** The names of the tools that are shown. */
  tools(id = "s"): string[] {
    const state = this.state(id);
    return state.kind === "connected" ? state.catalog.tools.map((tool) => tool.name) : [];
  }

  /** Waits until the state of a server is of a kind. */
  async until(kind: ServerState["kind"], id = "s"): Promise<ServerState> {
    while (this.state(id).kind !== kind) {
      await this.changed();
    }
    return this.state(id);
  }

  /** Waits until something about the servers changes. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      const subscription = this.pool.onDidChange(() => {
        subscription.dispose();
        resolve();
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close();
  }

  #handler(answer: Answer): InputHandler {
    return {
      modes: { form: true, url: true },
      handle: async (round, signal) => {
        this.rounds.push(round);
        const given = await answer(round, signal);
        return new Map(round.requests.map((request) => [request.key, given]));
      },
    };
  }
}

type Answer = (round: InputRound, signal: AbortSignal) => InputResponse | Promise<InputResponse>;

/** The first text of a result. */
export function firstText(result: { readonly content: readonly { readonly type: string }[] }): string {
  const block = result.content[0];
  return block !== undefined && "text" in block ? String(block.text) : "";
}
