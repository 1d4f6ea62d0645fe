import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { ChatTarget } from "./chatTargets.ts";

/** What a person decided about one call. */
export type ApprovalChoice = "once" | "session" | "deny";

/** Approvals that are remembered, at most; beyond it the oldest are asked about again. */
const MAX_REMEMBERED = 1_000;

/**
 * What may be used from chat without asking until the window closes. An approval is for one tool, resource, prompt or skill of
 * one server as both were defined when it was given: when either changes, it is asked again.
 */
export class SessionApprovals {
  readonly #digests = new Set<string>();

  allows(target: ChatTarget): boolean {
    return this.#digests.has(definitionDigest(target));
  }

  allow(target: ChatTarget): void {
    this.#digests.add(definitionDigest(target));
    const oldest = this.#digests.values().next();
    if (this.#digests.size > MAX_REMEMBERED && oldest.done !== true) this.#digests.delete(oldest.value);
  }
}

/**
 * Calls that a person is about to be shown, so that what is carried out is what was shown. One showing is good for
 * one use of exactly that tool, resource or prompt, as it was defined then, with exactly those arguments.
 */
export class ShownCalls {
  readonly #shown = new Map<string, number>();

  note(target: ChatTarget, args: JsonObject): void {
    const key = callKey(target, args);
    const times = this.#shown.get(key) ?? 0;
    this.#shown.delete(key);
    this.#shown.set(key, times + 1);
    const oldest = this.#shown.keys().next();
    if (this.#shown.size > MAX_REMEMBERED && oldest.done !== true) this.#shown.delete(oldest.value);
  }

  /** True once for each showing. */
  take(target: ChatTarget, args: JsonObject): boolean {
    const key = callKey(target, args);
    const times = this.#shown.get(key) ?? 0;
    if (times <= 1) this.#shown.delete(key);
    else this.#shown.set(key, times - 1);
    return times > 0;
  }
}

/**
 * Stands for a tool, a resource or a prompt of a server with everything that defines both. Holds no secrets:
 * placeholders are not filled in.
 */
export function definitionDigest(target: ChatTarget): string {
  return digest([
    target.serverId,
    (target.entry.config ?? null) as unknown as JsonValue,
    definitionOf(target),
  ]);
}

function definitionOf(target: ChatTarget): JsonValue {
  if ("tool" in target) return target.tool.raw;
  // The entry has the digest of each file: another one is another skill, which is asked about anew.
  if ("skill" in target) return ["skill", target.skill.raw, target.file ?? null];
  return "uri" in target ? ["resource", target.uri] : ["prompt", target.prompt.raw];
}

function callKey(target: ChatTarget, args: JsonObject): string {
  return digest([definitionDigest(target), args]);
}

function digest(value: JsonValue): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
