import type { Disposable } from "../../base/disposable.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Task } from "../model/task.ts";
import type { Tool } from "../model/tool.ts";
import type { InputAsker } from "../mrtr/inputAsker.ts";

/** How one request about a task is made. */
export interface TaskCall {
  readonly signal: AbortSignal;
  /** Who can answer what the task asks; it is declared as for the call that the task came of. */
  readonly asker?: InputAsker | undefined;
}

/**
 * What an era does about tasks. Requests reject with RpcError for the server's errors and with EngineError for ours;
 * what comes back is checked.
 */
export interface EraTasks {
  /** Whether the person wants calls to become tasks where that is the client's choice. Tasks that are there go on. */
  isOn: boolean;
  /** True when the server can be asked to tell of single tasks. */
  readonly canBeHeard: boolean;
  /** What the parameters of a call get so that it becomes a task; nothing where the server decides. */
  augment(tool: Tool | undefined, ttlMs: number): JsonObject;
  /** Reads the handle that came in place of a result. */
  readHandle(result: JsonObject): Task;
  /** The task in a notification, where it says everything; undefined when it is only a reason to ask. */
  readNotice(params: JsonObject): Task | undefined;
  get(taskId: string, call: TaskCall): Promise<Task>;
  /** Asks the server to stop. It may finish the task all the same. */
  cancel(taskId: string, call: TaskCall): Promise<void>;
  /** Sends answers to what a task asks; there only where questions come with the task. */
  update?(taskId: string, answers: JsonObject, call: TaskCall): Promise<void>;
  /** Waits for the result, and is what questions come through; there only where the task does not hold them itself. */
  result?(taskId: string, call: TaskCall): Promise<JsonObject>;
  /** Names who answers questions of a task, until the handle is disposed; there only where they come on their own. */
  attend?(taskId: string, asker: InputAsker | undefined): Disposable;
}
