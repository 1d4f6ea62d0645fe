import type { JsonObject } from "../../base/json.ts";
import type { ModelPart } from "./resultForModel.ts";

/** A tool call that the model wrote. Nothing in it is checked yet. */
export interface ModelCall {
  readonly callId: string;
  /** The model's name for the tool. */
  readonly name: string;
  readonly input: JsonObject;
}

/** What came of one tool call, as the model gets it. */
export interface CallAnswer {
  readonly callId: string;
  readonly parts: readonly ModelPart[];
}

/** One message of the conversation with the model. */
export type LoopMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: "results"; readonly answers: readonly CallAnswer[] };

/** What streams from the model. */
export type ModelOutput =
  { readonly kind: "text"; readonly text: string } | { readonly kind: "call"; readonly call: ModelCall };

/** What the loop needs: a model, somewhere to write, and somebody who carries out calls. */
export interface LoopPorts {
  readonly send: (messages: readonly LoopMessage[], signal: AbortSignal) => AsyncIterable<ModelOutput>;
  readonly write: (text: string) => void;
  /** Carries out one call, after asking. Rejects only when the signal is aborted: all else is an answer. */
  readonly call: (call: ModelCall, signal: AbortSignal) => Promise<readonly ModelPart[]>;
}

export interface LoopLimits {
  /** Answers of the model that may ask for tools. */
  readonly rounds: number;
  /** Calls that one answer may ask for; further ones are refused. */
  readonly callsPerRound: number;
}

/** How a loop ended: the model was done, or it wanted more rounds than it may have. */
export type LoopEnd = "done" | "too-many-rounds";

/**
 * Lets a model talk and call tools until it is done. Calls run one after another, in the model's order, so that a
 * person is asked about one at a time. Every call gets an answer, because models refuse a conversation without.
 */
export async function runToolLoop(
  first: readonly LoopMessage[],
  ports: LoopPorts,
  limits: LoopLimits,
  signal: AbortSignal,
): Promise<LoopEnd> {
  const messages = [...first];
  for (let round = 0; ; round += 1) {
    signal.throwIfAborted();
    const { text, calls } = await readAnswer(messages, ports, signal);
    if (calls.length === 0) return "done";
    if (round >= limits.rounds) return "too-many-rounds";
    messages.push({ role: "assistant", text, calls });
    const answers: CallAnswer[] = [];
    for (const [index, call] of calls.entries()) {
      signal.throwIfAborted();
      const parts = index < limits.callsPerRound ? await ports.call(call, signal) : tooManyCalls(limits);
      answers.push({ callId: call.callId, parts });
    }
    messages.push({ role: "results", answers });
  }
}

async function readAnswer(
  messages: readonly LoopMessage[],
  ports: LoopPorts,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly calls: readonly ModelCall[] }> {
  const texts: string[] = [];
  const calls: ModelCall[] = [];
  for await (const output of ports.send(messages, signal)) {
    signal.throwIfAborted();
    if (output.kind === "call") {
      calls.push(output.call);
    } else {
      texts.push(output.text);
      ports.write(output.text);
    }
  }
  return { text: texts.join(""), calls };
}

function tooManyCalls({ callsPerRound }: LoopLimits): readonly ModelPart[] {
  return [
    {
      kind: "text",
      text: `Not called: at most ${String(callsPerRound)} calls at a time. Ask again for this one.`,
    },
  ];
}
