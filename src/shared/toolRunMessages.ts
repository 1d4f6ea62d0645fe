import type { JsonObject, JsonValue } from "../base/json.ts";
import type { FeatureName } from "../protocol/mrtr/clientFeatures.ts";

/** What the Tool run panel shows. The host owns it; the page draws it and keeps only what is being typed. */
export interface ToolRunView {
  readonly serverId: string;
  /** As in "Modern 2026-07-28". */
  readonly protocol: string;
  readonly tool: {
    readonly name: string;
    readonly displayName: string;
    readonly description?: string;
    readonly inputSchema: JsonObject;
    /** The server's claims, already as sentences such as “claims to be read-only”. */
    readonly claims: readonly string[];
    /** Present when arguments cannot be compared with the schema: why, as a sentence. */
    readonly uncheckedReason?: string;
  };
  /** Arguments to start with. They stay the same while the panel is open, unless somebody asks for others. */
  readonly initialArguments: JsonObject;
  /** False when the server is not connected; `notice` says why and what to do. */
  readonly canRun: boolean;
  readonly notice?: string;
  /** What the person can do about what `notice` says, beside connecting. */
  readonly noticeCures?: readonly CureView[];
  readonly run: ToolRunStatus;
  /** What the server wants to use and may not; the page offers to allow it where a run failed. */
  readonly wanted: readonly FeatureName[];
}

/** The panel in which a person answers a call that is under way: Input Request, or Model Request. */
export type WaitingPanel = "input" | "model";

export type ToolRunStatus =
  | { readonly kind: "idle" }
  | {
      readonly kind: "running";
      readonly startedAtMs: number;
      readonly progress?: { readonly progress: number; readonly total?: number; readonly message?: string };
      /** The panel in which the call waits for a person; absent while it waits for the server. */
      readonly waitingFor?: WaitingPanel;
      /** Set when the call became a task of the server. `message` is the server's. */
      readonly task?: { readonly message?: string };
    }
  | { readonly kind: "done"; readonly result: ToolResultView }
  | {
      readonly kind: "failed";
      readonly problem: ProblemView;
      /** What the person can do about it from here. */
      readonly cures?: readonly CureView[];
      readonly durationMs: number;
    }
  | { readonly kind: "cancelled"; readonly durationMs: number };

/** A button that starts a command on the server. The host takes only those that it offers at that moment. */
export interface CureView {
  readonly command: string;
  readonly label: string;
}

/** An error as sentences in the user's language. */
export interface ProblemView {
  readonly message: string;
  readonly remedy?: string;
  /** Evidence such as a stderr tail; shown folded. */
  readonly detail?: string;
  /** The numeric code when the server sent the error. */
  readonly rpcCode?: number;
}

/** A finished call. Everything in it is the server's: drawn as text and data, never as markup. */
export interface ToolResultView {
  readonly isError: boolean;
  readonly durationMs: number;
  readonly rounds: number;
  readonly blocks: readonly ContentBlockView[];
  /** Present when the result has structured content. */
  readonly structured?: { readonly value: JsonValue; readonly check: StructuredCheckView };
  /** Present when a promised structured content is missing. */
  readonly structuredMissing?: string;
  /** The whole result object, for the raw view. */
  readonly raw: JsonObject;
}

export type StructuredCheckView =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly problems: readonly string[] }
  | { readonly kind: "unchecked"; readonly reason: string };

export type ContentBlockView =
  | { readonly type: "text"; readonly text: string }
  /** Base64. The page draws only raster images whose bytes match the type; everything else becomes a note. */
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "link";
      readonly uri: string;
      readonly name: string;
      readonly description?: string;
      readonly mimeType?: string;
    }
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mimeType?: string;
      readonly text?: string;
      readonly blobBytes?: number;
    }
  | { readonly type: "unknown"; readonly name: string; readonly raw: JsonObject };

/** From the host to the Tool run page. */
export type ToolRunToPage =
  | { readonly type: "view"; readonly view: ToolRunView }
  /** The arguments do not fit the schema; nothing was sent. The page offers to run anyway. */
  | { readonly type: "argumentProblems"; readonly problems: readonly ArgumentProblem[] };

/** One mismatch between arguments and schema. `path` is a JSON Pointer into the arguments. */
export interface ArgumentProblem {
  readonly path: string;
  readonly message: string;
}

/** From the Tool run page to the host. */
export type ToolRunToHost =
  | { readonly type: "ready" }
  /** `checked` asks the host to validate first and to answer with `argumentProblems` instead of running. */
  | { readonly type: "run"; readonly arguments: JsonObject; readonly checked: boolean }
  | { readonly type: "cancel" }
  | { readonly type: "connect" }
  | { readonly type: "showLog" }
  /** Brings the panel to the front in which the call waits for a person. */
  | { readonly type: "showWaiting"; readonly panel: WaitingPanel }
  /** Starts the command that allows a feature to the server; it is the command that asks. */
  | { readonly type: "allow"; readonly feature: FeatureName }
  /** Starts the command of a cure that is offered. */
  | { readonly type: "cure"; readonly command: string }
  /** A link in a result, after a click; the host asks before it opens anything. */
  | { readonly type: "openLink"; readonly uri: string }
  /** Reads what a link of a result names, from the server that gave it, and opens it. */
  | { readonly type: "readResource"; readonly uri: string }
  | { readonly type: "copy"; readonly text: string }
  /** Opens a JSON value or a text in an editor. */
  | {
      readonly type: "openInEditor";
      readonly text: string;
      readonly language: "json" | "plaintext" | "markdown";
    };

/**
 * What the page must keep with `setState` beside its own drafts: after a reload of the window the host reads it to
 * know which tool the panel belonged to.
 */
export interface ToolRunSavedState {
  readonly serverId: string;
  readonly tool: string;
  /** The `initialArguments` of the view. */
  readonly arguments: JsonObject;
}
