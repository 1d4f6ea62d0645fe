import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { Channel } from "../../src/protocol/channel.ts";
import { Connection } from "../../src/protocol/connection.ts";
import type { EraSession } from "../../src/protocol/eras/eraSession.ts";
import { LegacySession } from "../../src/protocol/eras/legacy/legacySession.ts";
import { ServerRequests } from "../../src/protocol/eras/legacy/serverRequests.ts";
import { ModernSession } from "../../src/protocol/eras/modern/modernSession.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../../src/protocol/limits.ts";
import type { AnyRevision } from "../../src/protocol/model/revision.ts";
import { NO_FEATURES } from "../../src/protocol/mrtr/clientFeatures.ts";
import { FeatureUse } from "../../src/protocol/mrtr/featureUse.ts";
import { CollectingLog } from "./collectingListener.ts";
import { FakeClock } from "./fakeClock.ts";
import { type FakeRequest, FakeTransport, settle } from "./fakeTransport.ts";

/** A connection whose server is the test, and whose time the test moves. */
export class TaskPeer {
  readonly clock = new FakeClock();
  readonly log = new CollectingLog();
  readonly transport: FakeTransport;
  readonly connection: Connection;
  readonly channel: Channel;
  #seen = 0;

  constructor(
    era: "modern" | "legacy" | AnyRevision,
    capabilities: JsonObject,
    kind: "stdio" | "http" = "stdio",
  ) {
    const { clock, log } = this;
    const isModern = era === "modern";
    const common = { serverName: "s", limits: DEFAULT_LIMITS, timeouts: DEFAULT_TIMEOUTS, clock, log };
    const use = new FeatureUse({ features: NO_FEATURES, ...common });
    this.transport = new FakeTransport(kind);
    this.channel = new Channel(this.transport, common);
    void this.channel.start();
    const facts = {
      server: undefined,
      capabilities: { tools: {}, ...capabilities },
      instructions: undefined,
    };
    const revision = isModern ? "2026-07-28" : era === "legacy" ? "2025-11-25" : era;
    const session: EraSession = isModern
      ? new ModernSession(this.channel, { name: "test", version: "1" }, facts)
      : new LegacySession({
          channel: this.channel,
          start: { facts: { ...facts, revision }, sessionId: undefined },
          initialize: () => Promise.reject(new Error("There is no second handshake here.")),
          serverRequests: new ServerRequests({
            ...common,
            inputBytes: DEFAULT_LIMITS.inputBytes,
            revision,
            unrelated: undefined,
            use,
          }),
          inputBytes: DEFAULT_LIMITS.inputBytes,
        });
    const negotiation = {
      ...facts,
      revision,
      era: isModern ? "modern" : "legacy",
      how: "probed",
      reason: "",
      steps: [],
      roundTrips: 1,
      processes: 1,
    } as const;
    this.connection = new Connection({ session, negotiation }, { ...common, use });
    this.connection.tasks.isOn = true;
  }

  /** The next request that was sent, which has to be one of this method. */
  async next(method: string): Promise<FakeRequest> {
    await settle();
    const request = this.transport.requests[this.#seen];
    assert.equal(request?.message.method, method);
    this.#seen += 1;
    return request;
  }

  /** Moves time, and sees that nothing was sent before. */
  async after(ms: number): Promise<void> {
    await this.quiet();
    this.clock.advance(ms);
  }

  /** Sees that nothing more was sent. */
  async quiet(): Promise<void> {
    await settle();
    const more = this.transport.requests.slice(this.#seen).map(({ message }) => message.method);
    assert.deepEqual(more, []);
  }

  /** Lists tools, as the server answers. */
  async list(...tools: readonly JsonObject[]): Promise<void> {
    const listed = this.connection.listTools();
    (await this.next("tools/list")).result({ resultType: "complete", tools });
    await listed;
  }

  /** Ends the connection; every timer must be gone then. */
  async close(): Promise<void> {
    const closed = this.connection.close();
    this.transport.end(new Error("closed"));
    await closed;
    await settle();
    assert.equal(this.clock.pending, 0);
  }
}

/** What the extension's server says of a task. */
export function modernTask(status: string, more: JsonObject = {}): JsonObject {
  return {
    taskId: "t-1",
    status,
    createdAt: "2026-01-01T00:00:00Z",
    lastUpdatedAt: "2026-01-01T00:00:00Z",
    ttlMs: null,
    pollIntervalMs: 1_000,
    ...more,
  };
}

/** What a server of 2025-11-25 says of a task. */
export function legacyTask(status: string, more: JsonObject = {}): JsonObject {
  return {
    taskId: "t-1",
    status,
    createdAt: "2026-01-01T00:00:00Z",
    lastUpdatedAt: "2026-01-01T00:00:00Z",
    ttl: null,
    pollInterval: 1_000,
    ...more,
  };
}

/** A result of a tool with one text. */
export function textResult(text: string, isError = false): JsonObject {
  return { content: [{ type: "text", text }], ...(isError && { isError }) };
}
