import type { JsonObject } from "../../base/json.ts";
import type { SamplingRequest } from "../model/sampling.ts";

/** A value that a form field can have. Numbers are sent as numbers, choices as their `const`. */
export type FormValue = string | number | bigint | boolean | readonly string[];

/** One thing that a server asks for in a call. */
export type InputRequest =
  | ElicitationRequest
  | { readonly kind: "sampling"; readonly key: string; readonly request: SamplingRequest }
  | { readonly kind: "roots"; readonly key: string };

/** One thing that a server asks a person for. Message, schema and URL are the server's words: untrusted. */
export type ElicitationRequest =
  | {
      readonly kind: "form";
      /** The server's own key within the round. */
      readonly key: string;
      readonly message: string;
      /** The `requestedSchema`, checked to be in the allowed subset. */
      readonly form: ElicitationForm;
    }
  | {
      readonly kind: "url";
      readonly key: string;
      readonly message: string;
      readonly url: string;
      /** The server's name for it, by which a legacy server says later that it is done. */
      readonly elicitationId?: string;
    };

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
  readonly requests: readonly ElicitationRequest[];
}

/** What can be answered in a call, or in a whole session: the modes of elicitation, and beside them what is allowed. */
export interface InputModes {
  readonly form: boolean;
  readonly url: boolean;
  /** Requests for a model's answer, with or without tools. */
  readonly sampling?: "text" | "tools" | undefined;
  readonly roots?: boolean;
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
  /**
   * Offers to go on by hand, or to give up, while the server has not said that what was opened is done; `round` is
   * the one that was accepted. Resolves true to go on. The signal is aborted when the server says that it is done and
   * when the call ends: then the offer is taken back and the result does not matter. Left out where nobody can choose.
   */
  waitElsewhere?(round: InputRound, signal: AbortSignal): Promise<boolean>;
}
