import { abortable } from "../../base/abortable.ts";
import type { Clock } from "../../base/clock.ts";
import { deferred } from "../../base/deferred.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Task } from "../model/task.ts";

/** Something that came while a task was waited for. */
export type TaskNews =
  /** The task as the server told of it on its own. */
  | { readonly kind: "told"; readonly task: Task }
  /** The server said only that something changed. */
  | { readonly kind: "poked" }
  /** The result came on a request that was waiting for it. */
  | { readonly kind: "result"; readonly result: JsonObject }
  /** Something that the task needs failed. `isStuck`: it waits for an answer that nobody can give. */
  | { readonly kind: "failed"; readonly error: unknown; readonly isStuck: boolean };

/** Where news about one task wait for the one who follows it. It holds at most one of each kind, the latest. */
export class TaskMailbox {
  readonly #news = new Map<TaskNews["kind"], TaskNews>();
  #arrived = deferred();

  put(news: TaskNews): void {
    this.#news.set(news.kind, news);
    this.#arrived.resolve(undefined);
  }

  /** Takes what weighs most: an end before a change, a change before a hint. Undefined when there is nothing. */
  take(): TaskNews | undefined {
    for (const kind of ["failed", "result", "told", "poked"] as const) {
      const news = this.#news.get(kind);
      if (news === undefined) continue;
      this.#news.delete(kind);
      return news;
    }
    return undefined;
  }

  /** Waits until something is there or the time is over. Rejects with the signal's reason. */
  async wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#news.size > 0) return;
    const arrived = deferred();
    this.#arrived = arrived;
    const timer = clock.after(ms, () => {
      arrived.resolve(undefined);
    });
    try {
      await abortable(arrived.promise, signal);
    } finally {
      timer.dispose();
    }
  }
}
