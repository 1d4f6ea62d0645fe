import { Emitter } from "../../../src/base/emitter.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import type { HttpConfig } from "../../../src/client/serverConfig.ts";
import type {
  ActiveCall,
  ServerEntry,
  ServerPool,
  CallOptions,
  CallOutcome,
} from "../../../src/client/serverPool.ts";
import type { ServerState } from "../../../src/client/serverState.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../../../src/protocol/limits.ts";
import type { PromptResult } from "../../../src/protocol/model/prompt.ts";
import type { ResourceResult } from "../../../src/protocol/model/resource.ts";
import type { Tool, ToolResult } from "../../../src/protocol/model/tool.ts";
import { NO_SUBSCRIPTIONS } from "../../../src/protocol/model/subscriptions.ts";

/** A tool with as little as a tool can have, unless a test says more. */
export function fakeTool(name: string, more: Partial<Tool> = {}): Tool {
  const inputSchema = more.inputSchema ?? { type: "object" };
  const { description } = more;
  return {
    name,
    displayName: name,
    inputSchema,
    raw: { name, inputSchema, ...(description === undefined ? {} : { description }) },
    ...more,
  };
}

export function fakeConfig(id: string, more: Partial<HttpConfig> = {}): HttpConfig {
  return {
    id,
    type: "http",
    url: `https://${id}.example/mcp`,
    headers: {},
    source: "user",
    enabled: true,
    autostart: false,
    chat: true,
    cache: true,
    protocol: "auto",
    minimumProtocol: "2025-06-18",
    timeouts: DEFAULT_TIMEOUTS,
    limits: DEFAULT_LIMITS,
    ...more,
  };
}

/** The state of a modern server with these tools. */
export function connected(
  tools: readonly Tool[],
  instructions?: string,
): Extract<ServerState, { kind: "connected" }> {
  return {
    kind: "connected",
    negotiation: {
      era: "modern",
      revision: "2026-07-28",
      how: "probed",
      reason: "",
      steps: [],
      roundTrips: 1,
      processes: 0,
      server: { name: "demo", version: "1" },
      capabilities: {},
      instructions,
    },
    catalog: { tools, rejectedTools: [], warnings: [] },
    listProblem: undefined,
    lists: {
      prompts: { kind: "absent" },
      resources: { kind: "absent" },
      templates: { kind: "absent" },
      skills: { kind: "absent" },
    },
    allowed: [],
    wanted: [],
    subscriptions: NO_SUBSCRIPTIONS,
    tasks: [],
    sinceMs: 0,
  };
}

export function fakeEntry(id: string, state: ServerState, more: Partial<HttpConfig> = {}): ServerEntry {
  return { id, config: fakeConfig(id, more), problems: [], state };
}

/** A result of one text. */
export function textResult(text: string): ToolResult {
  const raw = { type: "text", text };
  return {
    content: [{ type: "text", text, raw }],
    isError: false,
    structuredCheck: { kind: "none" },
    raw: { content: [raw] },
  };
}

export type FakeCall = (
  id: string,
  tool: string,
  args: JsonObject,
  options: CallOptions,
) => Promise<ToolResult>;

/** A pool of entries that a test sets, whose calls a test answers. */
export class FakePool implements Partial<ServerPool> {
  readonly #changed = new Emitter<string | undefined>();
  readonly #callsChanged = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCalls = this.#callsChanged.event;
  entries: readonly ServerEntry[];
  active: readonly ActiveCall[] = [];
  readonly #answer: FakeCall;
  readonly made: { readonly id: string; readonly tool: string; readonly args: JsonObject }[] = [];
  readonly cancelled: { readonly id: string; readonly taskId: string }[] = [];
  readonly read: { readonly id: string; readonly uri: string }[] = [];
  readonly got: {
    readonly id: string;
    readonly prompt: string;
    readonly args: Readonly<Record<string, string>>;
  }[] = [];

  constructor(entries: readonly ServerEntry[], answer: FakeCall = () => Promise.resolve(textResult("done"))) {
    this.entries = entries;
    this.#answer = answer;
  }

  /** The pool as those see it who use only what is here. */
  get pool(): ServerPool {
    return this as unknown as ServerPool;
  }

  servers(): readonly ServerEntry[] {
    return this.entries;
  }

  get(id: string): ServerEntry | undefined {
    return this.entries.find((entry) => entry.id === id);
  }

  calls(): readonly ActiveCall[] {
    return this.active;
  }

  async callTool(
    id: string,
    tool: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<CallOutcome<ToolResult>> {
    this.made.push({ id, tool, args });
    const result = await this.#answer(id, tool, args, options);
    return { callId: "call", result, durationMs: 5, rounds: 0 };
  }

  /** Answered like a call of the tool that has the task's id for a name. */
  async awaitTask(id: string, taskId: string, options: CallOptions): Promise<CallOutcome<ToolResult>> {
    const result = await this.#answer(id, taskId, {}, options);
    return { callId: "call", result, durationMs: 5, rounds: 0 };
  }

  cancelTask(id: string, taskId: string): Promise<void> {
    this.cancelled.push({ id, taskId });
    return Promise.resolve();
  }

  async readResource(id: string, uri: string): Promise<CallOutcome<ResourceResult>> {
    this.read.push({ id, uri });
    const contents = [{ uri, text: `text of ${uri}`, raw: {} }];
    return { callId: "call", result: { contents, raw: {} }, durationMs: 5, rounds: 0 };
  }

  async getPrompt(
    id: string,
    prompt: string,
    args: Readonly<Record<string, string>>,
  ): Promise<CallOutcome<PromptResult>> {
    this.got.push({ id, prompt, args });
    const content = { type: "text", text: `words of ${prompt}`, raw: {} } as const;
    const result = { messages: [{ role: "user", content } as const], warnings: [], raw: {} };
    return { callId: "call", result, durationMs: 5, rounds: 0 };
  }

  change(entries: readonly ServerEntry[], id?: string): void {
    this.entries = entries;
    this.#changed.fire(id);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#callsChanged.dispose();
  }
}
