import type { Clock } from "../base/clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";
import { errorText } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { complete, NO_COMPLETION } from "../protocol/completion/complete.ts";
import type { CallOptions, Connection } from "../protocol/connection.ts";
import type { ListWish } from "../protocol/lists/listPages.ts";
import { EngineError } from "../protocol/engineError.ts";
import type { Completion, CompletionTarget } from "../protocol/model/completion.ts";
import type { ListName, Listing } from "../protocol/model/listing.ts";
import type { ServerNotice } from "../protocol/model/notice.ts";
import type { CalledTool, ToolCatalog } from "../protocol/model/tool.ts";
import { getPrompt } from "../protocol/prompts/getPrompt.ts";
import { readResource } from "../protocol/resources/readResource.ts";
import { RPC_CODES, RpcError } from "../protocol/rpcError.ts";
import { listSkills } from "../protocol/skills/listSkills.ts";
import { SkillShelf } from "./skills/skillShelf.ts";
import { ServerTasks } from "./tasks/serverTasks.ts";
import { type TaskStore, taskStoreKey } from "./tasks/taskStore.ts";
import { ListRefresher } from "./listRefresher.ts";
import type { ResourceWatches } from "./resourceWatches.ts";
import type { ServerConfig } from "./serverConfig.ts";
import { UpdatePacer } from "./updatePacer.ts";
import type { ConnectedState, ListState, Problem, ServerLists } from "./serverState.ts";

export interface LiveServerOptions {
  readonly connection: Connection;
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly toProblem: (error: unknown) => Problem;
  readonly watches: ResourceWatches;
  /** Undefined forgets tasks with the connection. */
  readonly taskStore: TaskStore | undefined;
  /** Something that `state` shows has changed. */
  readonly onDidChange: () => void;
  /** A notice that is no change of a list: those are dealt with here. */
  readonly onNotice: (notice: ServerNotice) => void;
}

const ABSENT = { kind: "absent" } as const;
const UNREAD = { kind: "unread" } as const;

/** A connection that stands, and everything that is known of the server through it: its lists, kept up to date. */
export class LiveServer implements Disposable {
  readonly connection: Connection;
  readonly tasks: ServerTasks;
  readonly skills: SkillShelf;
  readonly #options: LiveServerOptions;
  readonly #sinceMs: number;
  readonly #refreshers: ReadonlyMap<ListName, ListRefresher>;
  readonly #updates: UpdatePacer;
  #toolsProblem: Problem | undefined;
  #lists: Omit<ServerLists, "skills">;
  #completes: boolean;
  /** Undefined shows all. */
  #shownTools: readonly string[] | undefined;
  /** Before the tools were asked for, the connection is not there yet for others. */
  #isListed = false;
  #disposed = false;

  constructor(options: LiveServerOptions) {
    this.#options = options;
    this.connection = options.connection;
    const { connection, config, clock, log } = options;
    this.tasks = new ServerTasks({
      connection,
      serverId: config.id,
      store: options.taskStore,
      key: taskStoreKey(config),
      clock,
      log,
      onDidChange: () => {
        this.#changed();
      },
    });
    this.skills = new SkillShelf({
      connection,
      isOn: config.skills === true,
      onDidChange: () => {
        this.#changed();
      },
    });
    this.#sinceMs = options.clock.now();
    const { capabilities } = options.connection.negotiation;
    const resources = capabilities["resources"] === undefined ? ABSENT : UNREAD;
    this.#completes = capabilities["completions"] !== undefined;
    this.#lists = {
      prompts: capabilities["prompts"] === undefined ? ABSENT : UNREAD,
      resources,
      templates: resources,
    };
    this.#updates = new UpdatePacer(options.clock, (uri) => {
      options.onNotice({ kind: "resource-updated", uri });
    });
    const refresher = (list: ListName): [ListName, ListRefresher] => [
      list,
      new ListRefresher(options.clock, () => this.#refresh(list)),
    ];
    this.#refreshers = new Map([refresher("tools"), refresher("prompts"), refresher("resources")]);
    this.connection.onNotice = (notice) => {
      if (notice.kind === "list-changed") this.#refreshers.get(notice.list)?.request();
      else if (notice.kind === "resource-updated") this.#updates.put(notice.uri);
      else options.onNotice(notice);
      if (notice.kind === "feature-wanted") this.#changed();
    };
    const { listening, closed } = this.connection;
    listening.onState = () => {
      if (this.#isListed) this.#changed();
    };
    this.observe(options.config);
    options.watches.attach(listening, (error) => {
      if (!closed.aborted) options.log.write("warn", errorText(error));
    });
    trackDisposable(this);
  }

  get state(): ConnectedState {
    return {
      kind: "connected",
      negotiation: this.connection.negotiation,
      catalog: filterTools(this.connection.catalog, this.#shownTools),
      listProblem: this.#toolsProblem,
      lists: { ...this.#lists, skills: this.skills.list },
      allowed: this.connection.allowedFeatures,
      wanted: this.connection.wantedFeatures,
      subscriptions: this.connection.listening.state,
      tasks: this.tasks.entries,
      sinceMs: this.#sinceMs,
    };
  }

  /**
   * Takes what the settings say about the server's log, about traces, about tasks and about which tools to show; needs
   * no new connection.
   */
  observe({ logLevel, trace, tasks, tools }: ServerConfig): void {
    this.#shownTools = tools;
    if (this.#isListed) this.#changed();
    this.connection.isTraced = trace === true;
    this.connection.tasks.isOn = tasks === true;
    this.connection.listening.setLogLevel(logLevel);
  }

  /** Lists the tools. A failure is shown beside the connection and thrown. */
  async listTools(signal?: AbortSignal, wish?: ListWish): Promise<void> {
    try {
      await this.connection.listTools(signal, wish);
      this.#toolsProblem = undefined;
      this.#isListed = true;
      this.#changed();
    } catch (error) {
      if (!this.connection.closed.aborted && signal?.aborted !== true) {
        this.#toolsProblem = this.#options.toProblem(error);
        this.#isListed = true;
        this.#changed();
      }
      throw error;
    }
  }

  /** Calls a tool, unless the settings leave it out. */
  async callTool(name: string, args: JsonObject, options: CallOptions): Promise<CalledTool> {
    if (this.#shownTools?.includes(name) === false) {
      const reason = "“tools” in its settings leaves it out.";
      throw new EngineError("unknown-tool", { server: this.#options.config.id, tool: name, reason });
    }
    return this.tasks.call(name, options, (how) => this.connection.callTool(name, args, how));
  }

  /** Resolves when the list of tools is as new as what the server said of its changes. */
  async toolsSettled(): Promise<void> {
    await this.#refreshers.get("tools")?.settled();
  }

  /** Lists prompts, resources and templates where the server announces them. Never rejects: each list shows its own problem. */
  async listOthers(signal?: AbortSignal, wish?: ListWish): Promise<void> {
    void this.tasks.look();
    await Promise.all([
      this.#listPrompts(signal, wish),
      this.#listResources(signal, wish),
      this.#listSkills(signal, wish),
    ]);
  }

  /** Reads a resource, listed or not. */
  async readResource(uri: string, options: CallOptions): ReturnType<typeof readResource> {
    return readResource(this.connection, uri, options);
  }

  /** Gets a prompt, with its arguments checked against the list where it is known. */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions,
  ): ReturnType<typeof getPrompt> {
    const { prompts } = this.#lists;
    const declared = prompts.kind === "listed" ? prompts.items.find((item) => item.name === name) : undefined;
    return getPrompt(this.connection, name, declared, args, options);
  }

  /** Asks for proposals. A server that announces none, or does not know the method, is not asked again. */
  async complete(
    target: CompletionTarget,
    argument: { readonly name: string; readonly value: string },
    known: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<Completion> {
    if (!this.#completes) return NO_COMPLETION;
    const completion = await complete(this.connection, target, argument, known, options);
    if (completion !== undefined) return completion;
    this.#completes = false;
    this.#options.log.write("warn", "completion/complete is announced but not known; it is not asked again.");
    return NO_COMPLETION;
  }

  dispose(): void {
    untrackDisposable(this);
    this.#disposed = true;
    this.connection.onNotice = undefined;
    this.connection.listening.onState = undefined;
    this.#options.watches.detach();
    this.#updates.dispose();
    for (const refresher of this.#refreshers.values()) refresher.dispose();
  }

  async #listPrompts(signal?: AbortSignal, wish?: ListWish): Promise<void> {
    if (this.#lists.prompts.kind === "absent") return;
    const prompts = await this.#read("prompts/list", () => this.connection.listPrompts(signal, wish), signal);
    if (prompts !== undefined) this.#adopt({ prompts });
  }

  async #listResources(signal?: AbortSignal, wish?: ListWish): Promise<void> {
    if (this.#lists.resources.kind === "absent") return;
    const { connection } = this;
    const [resources, templates] = await Promise.all([
      this.#read("resources/list", () => connection.listResources(signal, wish), signal),
      this.#read("resources/templates/list", () => connection.listTemplates(signal, wish), signal),
    ]);
    this.#adopt({ ...(resources && { resources }), ...(templates && { templates }) });
  }

  async #listSkills(signal?: AbortSignal, wish?: ListWish): Promise<void> {
    if (this.skills.list.kind === "absent") return;
    const list = await this.#read("skills/list", () => listSkills(this.connection, signal, wish), signal);
    if (list === undefined) return;
    this.skills.adopt(list);
    this.#changed();
  }

  /** Undefined when nobody wants to know any more. */
  async #read<T>(
    method: string,
    list: () => Promise<Listing<T>>,
    signal: AbortSignal | undefined,
  ): Promise<ListState<T> | undefined> {
    try {
      const { items, warnings } = await list();
      for (const warning of warnings) this.#options.log.write("warn", warning);
      return { kind: "listed", items, warnings };
    } catch (error) {
      if (this.connection.closed.aborted || signal?.aborted === true) return undefined;
      this.#options.log.write("warn", `${method} failed: ${errorText(error)}`);
      // The server announces a feature of which it has no such list: that is none.
      if (isUnknownMethod(error)) return ABSENT;
      return { kind: "failed", problem: this.#options.toProblem(error) };
    }
  }

  /** Reads a list that changed; nobody waits for it, so a failure is shown and a line in the log. */
  async #refresh(list: ListName): Promise<void> {
    if (list === "prompts") return this.#listPrompts();
    if (list === "resources") {
      // Skills are resources; no notice is about them alone.
      await Promise.all([this.#listResources(), this.#listSkills()]);
      return;
    }
    await this.listTools().catch((error: unknown) => {
      this.#options.log.write("warn", `The changed tools could not be listed: ${errorText(error)}`);
    });
  }

  #adopt(lists: Partial<Omit<ServerLists, "skills">>): void {
    this.#lists = { ...this.#lists, ...lists };
    this.#changed();
  }

  #changed(): void {
    if (!this.#disposed) this.#options.onDidChange();
  }
}

function isUnknownMethod(error: unknown): boolean {
  return error instanceof RpcError && error.rpcCode === RPC_CODES.methodNotFound;
}

function filterTools(catalog: ToolCatalog, wanted: readonly string[] | undefined): ToolCatalog {
  if (wanted === undefined) return catalog;
  return { ...catalog, tools: catalog.tools.filter((tool) => wanted.includes(tool.name)) };
}
