import type { JsonObject, JsonValue } from "../base/json.ts";
import type { CommandName } from "./readTarget.ts";

/** What a command came to: the one object that `--format json` prints, and from which the text is made. */
export interface Report {
  /** True when the exit code is 0. */
  readonly ok: boolean;
  readonly command: CommandName | null;
  /** The configured name. */
  readonly server: string | null;
  /** How the connection was made; null when there was none. */
  readonly connection: ConnectionReport | null;
  /** For `tools`; for `test` their number stands in `connection`. */
  readonly tools?: readonly JsonObject[];
  readonly rejectedTools?: readonly { readonly name: string; readonly reason: string }[];
  /** For `resources`. */
  readonly resources?: readonly JsonObject[];
  readonly templates?: readonly JsonObject[];
  /** For `prompts`. */
  readonly prompts?: readonly JsonObject[];
  /** For `skills`: the entries as the server lists them. */
  readonly skills?: readonly JsonObject[];
  readonly warnings: readonly string[];
  /** For `call`. */
  readonly result?: ResultReport;
  /** For `read`. */
  readonly resource?: ResourceReport;
  /** For `prompt`. */
  readonly prompt?: PromptReport;
  /** For `skill`: a file that was verified. */
  readonly skill?: SkillReport;
  /** For `complete`: `values`, and `total` and `hasMore` as the server says. */
  readonly completion?: JsonObject;
  readonly error: ErrorReport | null;
}

export interface ConnectionReport {
  readonly era: string;
  readonly revision: string;
  /** `pinned`, `probed`, `remembered` or `fallback`, with the reason as a sentence. */
  readonly how: string;
  readonly reason: string;
  readonly roundTrips: number;
  /** What the server calls itself: a claim. */
  readonly serverInfo: JsonObject | null;
  readonly capabilities: JsonObject;
  readonly toolCount: number;
}

export interface ResultReport {
  readonly isError: boolean;
  readonly content: readonly JsonValue[];
  readonly structuredContent?: JsonValue;
  /** How `structuredContent` compares with the tool's `outputSchema`. */
  readonly structuredCheck: JsonObject;
  readonly durationMs: number;
  /** Rounds of input that were answered. */
  readonly rounds: number;
}

export interface ResourceReport {
  /** As the server sent them. */
  readonly contents: readonly JsonObject[];
  readonly durationMs: number;
  /** Rounds of input that were answered. */
  readonly rounds: number;
}

export interface SkillReport {
  readonly skill: string;
  readonly uri: string;
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** Null when it is not UTF-8; then its bytes are in `base64`. */
  readonly text: string | null;
  readonly base64?: string;
  readonly durationMs: number;
}

export interface PromptReport {
  readonly description: string | null;
  /** `role` and `content` of each. */
  readonly messages: readonly JsonObject[];
  readonly durationMs: number;
  /** Rounds of input that were answered. */
  readonly rounds: number;
}

/** Why it failed. Codes are stable, sentences are not. */
export interface ErrorReport {
  /** Whose words these are: of the command line or configuration, of Signalbox, or of the server. */
  readonly source: "usage" | "client" | "engine" | "server";
  readonly code: string | number;
  readonly message: string;
  readonly remedy: string | null;
  /** Evidence, such as the last error output of a process. */
  readonly detail: string | null;
}

/** The exit code of a failure: 2 where the command line or the configuration must change, else 1. */
export function exitCodeOf({ ok, error }: Report): number {
  if (ok) return 0;
  if (error === null) return 1;
  return error.source === "usage" || CONFIG_CODES.has(error.code) ? 2 : 1;
}

const CONFIG_CODES: ReadonlySet<string | number> = new Set([
  "no-such-server",
  "disabled",
  "invalid-config",
  "unset-variable",
  "bad-settings",
]);
