import type { Disposable } from "../../base/disposable.ts";
import type { JsonObject } from "../../base/json.ts";
import type { CacheHints } from "../cache/cacheHints.ts";
import type { AnyRevision } from "../model/revision.ts";
import type { ServerNotice } from "../model/notice.ts";
import type { Implementation, ServerCapabilities } from "../model/server.ts";
import type { ServerLogLevel } from "../model/serverLog.ts";
import type { SubscriptionState } from "../model/subscriptions.ts";
import type { Progress, RejectedTool, Tool } from "../model/tool.ts";
import type { InputAsker } from "../mrtr/inputAsker.ts";
import type { EraTasks } from "../tasks/eraTasks.ts";

/** What a server's result turned out to be, the same for both eras. */
export type EraResult =
  | {
      readonly kind: "complete";
      readonly result: JsonObject;
      /** What the server says about keeping it; undefined in an era without such hints. */
      readonly hints?: CacheHints | undefined;
    }
  /** The server wants input before it goes on; only the modern era has it. The shape is not checked yet. */
  | { readonly kind: "input-required"; readonly result: JsonObject }
  /** The server made a task of the call: a handle came in place of the result. */
  | { readonly kind: "task"; readonly result: JsonObject };

/** One request as the layers above see it: without versions, capabilities, sessions and headers. */
export interface EraCall {
  readonly method: string;
  readonly params?: JsonObject | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Progress is heard until then, also after the answer; undefined ends it with the answer. */
  readonly progressUntil?: AbortSignal | undefined;
  /** Who can answer when the server asks for input in this call; undefined declares nothing for it. */
  readonly asker?: InputAsker | undefined;
  /** Lists the tools again, so that a call refused for its mirrored headers can be made once more. */
  readonly refreshTools?: (() => Promise<void>) | undefined;
}

/** What a server said about itself when the session began. */
export interface SessionFacts {
  readonly revision: AnyRevision;
  readonly server: Implementation | undefined;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}

/**
 * A live session in one era. Both eras implement it in full; a caller cannot tell them apart,
 * and a method that the era's revision does not have rejects with `unsupported-method`.
 */
export interface EraSession extends Disposable {
  readonly facts: SessionFacts;
  /** Aborted when the connection has ended, with the reason. */
  readonly closed: AbortSignal;
  /**
   * Sends one request and recovers in the era's own way, each way at most once.
   * Rejects with RpcError for the server's errors and with EngineError for ours.
   */
  request(call: EraCall): Promise<EraResult>;
  /** Takes the tools of a finished list; answers those that this era and transport must withhold. */
  adoptTools(tools: readonly Tool[]): readonly RejectedTool[];
  /** Hears what the server says on its own. */
  onNotice: ((notice: ServerNotice) => void) | undefined;
  /** What the server was asked to tell about, and what it agreed to. */
  readonly subscriptions: SubscriptionState;
  /** Told when `subscriptions` changed. */
  onSubscriptions: ((state: SubscriptionState) => void) | undefined;
  /**
   * Asks to be told when a resource, or one below it, changes; it is asked for again after every gap until
   * `unwatchResource`, also when the server did not agree. Resolves when it agreed.
   * Rejects with EngineError `not-watched`, or with the server's RpcError.
   */
  watchResource(uri: string, signal: AbortSignal): Promise<void>;
  /** No longer asks for a resource. Nobody waits for it. */
  unwatchResource(uri: string): void;
  /** What can be done about tasks; undefined where the revision or the server has none. */
  readonly tasks?: EraTasks | undefined;
  /** Asks to be told of these tasks and no others, where the era has a way to ask. */
  watchTasks(taskIds: readonly string[]): void;
  /** Asks anew to be told of changes where that was refused for want of authorization; does nothing where it was not. */
  listenAgain(): void;
  /** Asks the server to log from this level on, at once and after every gap; undefined asks for nothing. */
  setLogLevel(level: ServerLogLevel | undefined): Promise<void>;
  /** Ends the session in the era's own way, then the transport. */
  close(): Promise<void>;
}
