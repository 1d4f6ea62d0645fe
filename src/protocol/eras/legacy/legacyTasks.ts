import { abortable } from "../../../base/abortable.ts";
import type { Disposable } from "../../../base/disposable.ts";
import { errorText } from "../../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../../base/json.ts";
import type { Channel } from "../../channel.ts";
import { EngineError } from "../../engineError.ts";
import { type AnyRevision, LATEST_LEGACY_REVISION } from "../../model/revision.ts";
import type { ServerCapabilities } from "../../model/server.ts";
import type { Task } from "../../model/task.ts";
import type { RejectedTool, Tool } from "../../model/tool.ts";
import type { InputAsker } from "../../mrtr/inputAsker.ts";
import { shorten } from "../../shorten.ts";
import type { EraTasks, TaskCall } from "../../tasks/eraTasks.ts";
import { parseTask, type TaskReading } from "../../tasks/parseTask.ts";
import type { EraCall, EraResult, SessionFacts } from "../eraSession.ts";
import { limitSignal } from "../limitSignal.ts";
import { taskKey } from "./relatedTask.ts";
import type { ServerRequests } from "./serverRequests.ts";

/** How long a call that was given up waits for the handle of its task, to cancel it. */
const LATE_HANDLE_MS = 10_000;

export interface LegacyTasksOptions {
  readonly channel: Channel;
  readonly facts: () => SessionFacts;
  readonly send: (call: EraCall) => Promise<EraResult>;
  readonly serverRequests: ServerRequests;
}

/** Whether a tool is called as a task. */
export type TaskPlan = "plain" | "task" | "impossible";

/**
 * Decides whether a call becomes a task. A tool that needs one is `impossible` where the server announces none.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#tool-level-negotiation
 */
export function planTask(
  tool: Pick<Tool, "raw"> | undefined,
  server: { readonly revision: AnyRevision; readonly capabilities: ServerCapabilities },
  isWanted: boolean,
): TaskPlan {
  if (server.revision < LATEST_LEGACY_REVISION) return "plain";
  const execution = tool?.raw["execution"];
  const support = isJsonObject(execution) ? execution["taskSupport"] : undefined;
  if (support === "required") return takesTasks(server.capabilities) ? "task" : "impossible";
  return support === "optional" && isWanted && takesTasks(server.capabilities) ? "task" : "plain";
}

/** True when the server announces `tasks.requests.tools.call`. */
function takesTasks({ tasks }: ServerCapabilities): boolean {
  const requests = isJsonObject(tasks) ? tasks["requests"] : undefined;
  const tools = isJsonObject(requests) ? requests["tools"] : undefined;
  return isJsonObject(tools) && tools["call"] !== undefined;
}

/**
 * Tasks of 2025-11-25, which the client asks for. Earlier revisions have none.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export class LegacyTasks implements EraTasks {
  isOn = false;
  /** Notifications of a task's status come or do not come: nothing can be asked for. */
  readonly canBeHeard = false;
  readonly #options: LegacyTasksOptions;
  /** Ends the progress of the call that a task came of: it is reported for as long as the task lasts. */
  readonly #heardTo = new Map<string, AbortController>();

  constructor(options: LegacyTasksOptions) {
    this.#options = options;
  }

  /** True when the session has tasks at all. */
  get isThere(): boolean {
    const { revision, capabilities } = this.#options.facts();
    return revision >= LATEST_LEGACY_REVISION && capabilities["tasks"] !== undefined;
  }

  augment(tool: Tool | undefined, ttlMs: number): JsonObject {
    return planTask(tool, this.#options.facts(), this.isOn) === "task" ? { task: { ttl: ttlMs } } : {};
  }

  /** The tools that want to be tasks of a server that has none. */
  withhold(tools: readonly Tool[]): readonly RejectedTool[] {
    const facts = this.#options.facts();
    const reason = "It can be called only as a task, and the server does not announce tasks for tools.";
    return tools
      .filter((tool) => planTask(tool, facts, this.isOn) === "impossible")
      .map(({ name }) => ({ name, reason }));
  }

  /**
   * Makes a call that becomes a task. Such a call is not cancelled by a notification: when it is given up before the
   * handle came, the task is cancelled once it comes.
   */
  async begin(call: EraCall): Promise<EraResult> {
    const { channel, send } = this.#options;
    const late = new AbortController();
    const over = new AbortController();
    const made = send({ ...call, signal: late.signal, progressUntil: over.signal });
    try {
      const answer = await abortable(made, call.signal);
      if (answer.kind === "complete" && isJsonObject(answer.result["task"])) {
        this.#heardTo.set(this.readHandle(answer.result).taskId, over);
        return { kind: "task", result: answer.result };
      }
      over.abort();
      return answer;
    } catch (error) {
      over.abort();
      if (call.signal.aborted && !channel.closed.aborted) void this.#cancelLate(made, late);
      throw error;
    }
  }

  readHandle(result: JsonObject): Task {
    return parseTask(result["task"], this.#reading("tools/call"));
  }

  readNotice(): undefined {
    return undefined;
  }

  async get(taskId: string, call: TaskCall): Promise<Task> {
    const task = parseTask(await this.#send("tasks/get", taskId, call), this.#reading("tasks/get"));
    if (task.taskId === taskId) return task;
    const reason = "it is about another task";
    const server = this.#options.channel.serverName;
    throw new EngineError("invalid-result", { server, method: "tasks/get", reason });
  }

  async cancel(taskId: string, call: TaskCall): Promise<void> {
    const { tasks } = this.#options.facts().capabilities;
    if (!isJsonObject(tasks) || tasks["cancel"] === undefined) {
      throw new EngineError("task-goes-on", {
        server: this.#options.channel.serverName,
        task: shorten(taskId),
      });
    }
    await this.#send("tasks/cancel", taskId, call);
  }

  result(taskId: string, call: TaskCall): Promise<JsonObject> {
    return this.#send("tasks/result", taskId, call);
  }

  attend(taskId: string, asker: InputAsker | undefined): Disposable {
    const { serverRequests } = this.#options;
    const key = taskKey(taskId);
    serverRequests.begin(key, asker);
    return {
      dispose: () => {
        serverRequests.end(key);
        this.#heardTo.get(taskId)?.abort();
        this.#heardTo.delete(taskId);
      },
    };
  }

  async #cancelLate(made: Promise<EraResult>, late: AbortController): Promise<void> {
    const { channel } = this.#options;
    const limit = limitSignal(channel, "tasks/cancel", LATE_HANDLE_MS, channel.closed);
    limit.signal.addEventListener("abort", () => {
      late.abort(limit.signal.reason);
    });
    try {
      const { result } = await made;
      if (isJsonObject(result["task"]))
        await this.cancel(this.readHandle(result).taskId, { signal: limit.signal });
    } catch (error) {
      channel.log.write("info", `A call that was given up may go on as a task: ${errorText(error)}`);
    } finally {
      limit.dispose();
    }
  }

  async #send(method: string, taskId: string, call: TaskCall): Promise<JsonObject> {
    return (await this.#options.send({ method, params: { taskId }, ...call })).result;
  }

  #reading(method: string): TaskReading {
    return { server: this.#options.channel.serverName, method, ttlKey: "ttl", pollKey: "pollInterval" };
  }
}
