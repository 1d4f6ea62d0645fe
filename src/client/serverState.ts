import type { CodedError } from "../base/errors.ts";
import type { RpcError } from "../protocol/rpcError.ts";
import type { Listing } from "../protocol/model/listing.ts";
import type { Prompt } from "../protocol/model/prompt.ts";
import type { Resource, ResourceTemplate } from "../protocol/model/resource.ts";
import type { FeatureName } from "../protocol/mrtr/clientFeatures.ts";
import type { Negotiation } from "../protocol/model/server.ts";
import type { SubscriptionState } from "../protocol/model/subscriptions.ts";
import type { ToolCatalog } from "../protocol/model/tool.ts";
import type { ListedSkill } from "./skills/skillShelf.ts";
import type { TaskEntry } from "./tasks/serverTasks.ts";

/** Why a server is not usable: an error of ours, or the server's own words. */
export type Problem = CodedError | RpcError;

/** What a server is doing. The host draws it; it never keeps a second copy. */
export type ServerState =
  | { readonly kind: "disabled" }
  | { readonly kind: "stopped" }
  /** Cannot start until the person acts: no trust, no approval, a broken or incomplete definition. */
  | { readonly kind: "blocked"; readonly problem: Problem }
  | { readonly kind: "connecting"; readonly step: ConnectStep; readonly sinceMs: number }
  | ConnectedState
  | {
      readonly kind: "failed";
      readonly problem: Problem;
      /** Set while the server is going to be started again on its own. */
      readonly restart?: PlannedRestart;
    };

/** When a server that ended unexpectedly is started again. */
export interface PlannedRestart {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** Which restart in a row it is, from 1 on, and how many there can be. */
  readonly attempt: number;
  readonly of: number;
}

export interface ConnectedState {
  readonly kind: "connected";
  readonly negotiation: Negotiation;
  readonly catalog: ToolCatalog;
  /** Set when listing the tools failed although the connection stands. */
  readonly listProblem: Problem | undefined;
  readonly lists: ServerLists;
  /** What the person lets the server use beside asking for input, as it was when this connection began. */
  readonly allowed: readonly FeatureName[];
  /** What the server wanted to use although it is off for it: only the person can change that. */
  readonly wanted: readonly FeatureName[];
  /** What the server was asked to tell about, and what it agreed to. */
  readonly subscriptions: SubscriptionState;
  /** Calls that became tasks, of earlier connections too, in the order in which they began. */
  readonly tasks: readonly TaskEntry[];
  readonly sinceMs: number;
}

/** What a server has beside tools. These are listed after the connection is usable. */
export interface ServerLists {
  readonly prompts: ListState<Prompt>;
  readonly resources: ListState<Resource>;
  readonly templates: ListState<ResourceTemplate>;
  /** Absent as well where the settings do not switch skills on. */
  readonly skills: ListState<ListedSkill>;
}

export type ListState<T> =
  /** The server announces none. */
  | { readonly kind: "absent" }
  /** Not read yet. */
  | { readonly kind: "unread" }
  | ({ readonly kind: "listed" } & Listing<T>)
  | { readonly kind: "failed"; readonly problem: Problem };

export type ConnectStep = "approving" | "resolving" | "signing-in" | "starting" | "negotiating" | "listing";
