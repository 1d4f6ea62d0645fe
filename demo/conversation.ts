import {
  CLIENT_INFO_META_KEY,
  inputRequired,
  inputResponse,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { digestJson } from "./argumentDigest.ts";
import type { Ticket } from "./databaseStore.ts";
import type { RequestState, StateSealer } from "./requestState.ts";

/** One call of one tool, as far as its rounds need to know it. */
export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ServerContext;
}

/** What the person did with one question. `other` is an answer that fits no question of ours. */
export type Answer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" | "cancel" | "other" };

/** Takes a call through its rounds: asks, and reads what came back. Holds no state: the client carries it. */
export interface Conversation {
  /**
   * The verified state of this round, or undefined in the first. Throws a readable error when the state
   * belongs to another call.
   */
  resume(call: Call): RequestState | undefined;
  /** Builds the result that asks the questions and carries what is settled so far. */
  ask(
    call: Call,
    previous: RequestState | undefined,
    requests: InputRequests,
    settled: RequestState["settled"],
  ): Promise<InputRequiredResult>;
  answer(call: Call, key: string): Answer;
  /** The right to take the step that follows this state, once. */
  ticket(call: Call, state: RequestState): Ticket;
  /** The replicas that took part, this one last. */
  route(state: RequestState | undefined): readonly string[];
}

const clientInfoSchema = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }) });

/** @param replica The name of this process, for showing who asked and who answered. */
export function createConversation(sealer: StateSealer, replica: string): Conversation {
  const route = (state: RequestState | undefined): readonly string[] => [...(state?.askedBy ?? []), replica];
  return {
    route,
    resume(call) {
      const state = call.context.mcpReq.requestState<RequestState>();
      if (state === undefined) return undefined;
      if (state.tool !== call.tool) {
        throw new Error(`This request state belongs to a call of ${state.tool}. Nothing was done.`);
      }
      if (state.argumentDigest !== digestJson(call.args)) {
        throw new Error(
          "The arguments changed between two rounds of this call. Nothing was done; start anew.",
        );
      }
      return state;
    },
    async ask(call, previous, inputRequests, settled) {
      const requestState = await sealer.seal({
        principal: principalOf(call.context),
        method: call.context.mcpReq.method,
        tool: call.tool,
        argumentDigest: digestJson(call.args),
        round: (previous?.round ?? 0) + 1,
        askedBy: route(previous),
        settled,
      });
      return inputRequired({ inputRequests, requestState });
    },
    answer(call, key) {
      const view = inputResponse(call.context.mcpReq.inputResponses, key);
      if (view.kind !== "elicit") return { action: "other" };
      return view.action === "accept"
        ? { action: "accept", content: view.content ?? {} }
        : { action: view.action };
    },
    ticket: (call, state) => ({
      stateId: state.id,
      answerDigest: digestJson(call.context.mcpReq.inputResponses ?? {}),
      expiresAt: state.expiresAt,
    }),
  };
}

/**
 * Who is calling: the authenticated client where there is one, otherwise the name the client gives itself.
 * The demo has no sign-in; the binding is there to show where it belongs.
 */
export function principalOf(context: ServerContext): string {
  const clientId = context.http?.authInfo?.clientId;
  if (clientId !== undefined) return `client:${clientId}`;
  const claimed = clientInfoSchema.safeParse(context.mcpReq.envelope);
  return claimed.success ? `anonymous:${claimed.data[CLIENT_INFO_META_KEY].name}` : "anonymous";
}
