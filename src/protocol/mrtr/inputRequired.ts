import type { JsonObject } from "../../base/json.ts";

/** A value that a form field can have. Numbers are sent as numbers, choices as their `const`. */
export type FormValue = string | number | bigint | boolean | readonly string[];

/** One thing that a server asks a person for. Message, schema and URL are the server's words: untrusted. */
export type InputRequest =
  | {
      readonly kind: "form";
      /** The server's own key within the round. */
      readonly key: string;
      readonly message: string;
      /** The `requestedSchema`, checked to be in the allowed subset. */
      readonly form: ElicitationForm;
    }
  | { readonly kind: "url"; readonly key: string; readonly message: string; readonly url: string };

/** The person's answer. Closing a panel is `cancel`; `decline` only by its own button. */
export type InputResponse =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, FormValue>> }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/** One field of a form, from the schema subset of both revisions, with defaults and titles resolved. */
export type FormField = {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
} & (
  | {
      readonly kind: "text";
      readonly format?: "email" | "uri" | "date" | "date-time";
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly pattern?: string;
      readonly default?: string;
    }
  | {
      readonly kind: "number";
      readonly integer: boolean;
      readonly minimum?: number | bigint;
      readonly maximum?: number | bigint;
      readonly default?: number | bigint;
    }
  | { readonly kind: "boolean"; readonly default?: boolean }
  | { readonly kind: "choice"; readonly options: readonly FormOption[]; readonly default?: string }
  | {
      readonly kind: "choices";
      readonly options: readonly FormOption[];
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly default?: readonly string[];
    }
);

/** A choice: `value` goes on the wire, `title` is shown. */
export interface FormOption {
  readonly value: string;
  readonly title: string;
}

/** A whole form in the server's order of fields. */
export interface ElicitationForm {
  readonly fields: readonly FormField[];
  /** The schema as it came, for the validator and the inspector. */
  readonly schema: JsonObject;
}

/** What the person is being asked, in which call, for the how-manieth time. */
export interface InputRound {
  /** Survives rounds, retries and reconnects; unique within the process. */
  readonly callId: string;
  /** The configured name of the server, never the name it gives itself. */
  readonly serverId: string;
  readonly method: string;
  /** The tool or prompt, or the resource's URI, that the call is about; undefined when a legacy server did not say. */
  readonly target: string | undefined;
  /** Counts from 1. */
  readonly round: number;
  readonly maxRounds: number;
  readonly requests: readonly InputRequest[];
}

/**
 * Answers what servers ask, for a context where a person can be reached.
 * Without a handler the capability is not declared for that request.
 */
export interface InputHandler {
  readonly modes: { readonly form: boolean; readonly url: boolean };
  /**
   * Asks the person. Resolves with an answer for every key of the round; rejects when the call was aborted.
   * Must stop asking as soon as the signal is aborted.
   */
  handle(round: InputRound, signal: AbortSignal): Promise<ReadonlyMap<string, InputResponse>>;
}
