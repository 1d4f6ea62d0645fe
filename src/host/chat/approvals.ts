import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { ChatTool } from "./chatTools.ts";

/** What a person decided about one call. */
export type ApprovalChoice = "once" | "session" | "deny";

/** Tools whose approval is remembered, at most; beyond it the oldest are asked about again. */
const MAX_REMEMBERED = 1_000;

/**
 * Tools that may be called from chat without asking until the window closes. An approval is for one tool of one server
 * as both were defined when it was given: when either changes, it is asked again.
 */
export class SessionApprovals {
  readonly #digests = new Set<string>();

  allows(tool: ChatTool): boolean {
    return this.#digests.has(definitionDigest(tool));
  }

  allow(tool: ChatTool): void {
    this.#digests.add(definitionDigest(tool));
    const oldest = this.#digests.values().next();
    if (this.#digests.size > MAX_REMEMBERED && oldest.done !== true) this.#digests.delete(oldest.value);
  }
}

/**
 * Calls that a person is about to be shown, so that what is carried out is what was shown. One showing is good for
 * one call of exactly that tool, as it was defined then, with exactly those arguments.
 */
export class ShownCalls {
  readonly #shown = new Map<string, number>();

  note(tool: ChatTool, args: JsonObject): void {
    const key = callKey(tool, args);
    const times = this.#shown.get(key) ?? 0;
    this.#shown.delete(key);
    this.#shown.set(key, times + 1);
    const oldest = this.#shown.keys().next();
    if (this.#shown.size > MAX_REMEMBERED && oldest.done !== true) this.#shown.delete(oldest.value);
  }

  /** True once for each showing. */
  take(tool: ChatTool, args: JsonObject): boolean {
    const key = callKey(tool, args);
    const times = this.#shown.get(key) ?? 0;
    if (times <= 1) this.#shown.delete(key);
    else this.#shown.set(key, times - 1);
    return times > 0;
  }
}

/** Stands for a tool of a server with everything that defines both. Holds no secrets: placeholders are not filled in. */
export function definitionDigest({ serverId, entry, tool }: ChatTool): string {
  return digest([serverId, (entry.config ?? null) as unknown as JsonValue, tool.raw]);
}

function callKey(tool: ChatTool, args: JsonObject): string {
  return digest([definitionDigest(tool), args]);
}

function digest(value: JsonValue): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
