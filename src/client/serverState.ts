import type { CodedError } from "../base/errors.ts";
import type { RpcError } from "../protocol/rpcError.ts";
import type { Negotiation } from "../protocol/model/server.ts";
import type { ToolCatalog } from "../protocol/model/tool.ts";

/** Why a server is not usable: an error of ours, or the server's own words. */
export type Problem = CodedError | RpcError;

/** What a server is doing. The host draws it; it never keeps a second copy. */
export type ServerState =
  | { readonly kind: "disabled" }
  | { readonly kind: "stopped" }
  /** Cannot start until the person acts: no trust, no approval, a broken or incomplete definition. */
  | { readonly kind: "blocked"; readonly problem: Problem }
  | { readonly kind: "connecting"; readonly step: ConnectStep; readonly sinceMs: number }
  | {
      readonly kind: "connected";
      readonly negotiation: Negotiation;
      readonly catalog: ToolCatalog;
      /** Set when listing the tools failed although the connection stands. */
      readonly listProblem: Problem | undefined;
      readonly sinceMs: number;
    }
  | { readonly kind: "failed"; readonly problem: Problem };

export type ConnectStep = "approving" | "resolving" | "starting" | "negotiating" | "listing";
