import type { SamplingStageView, SamplingTaskView, SamplingView } from "../../src/shared/samplingMessages.ts";

/** One pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

export const promptStage: SamplingStageView = { kind: "prompt", problem: undefined };
export const answerStage: SamplingStageView = {
  kind: "answer",
  model: "Big Model",
  answer: {
    parts: [
      { kind: "text", key: "0.0", text: "Three databases cost more than they did last month." },
      { kind: "data", title: "Use of the tool “lookup”", text: '{\n  "month": 11\n}' },
    ],
    end: "The model wants to use tools of the server, which the server carries out itself.",
  },
};

/** A request for a model's answer, with everything that one can have. */
export function samplingView(over: Partial<SamplingTaskView> = {}, waiting = 1): SamplingView {
  return {
    waiting,
    current: {
      taskId: "task-1",
      serverId: "cloud-demo",
      target: "summarize_costs",
      why: "You called “summarize_costs” of “cloud-demo”, and it wants the answer of a language model to go on.",
      round: 1,
      maxRounds: 10,
      prompt: {
        systemPrompt: "You are an accountant. Answer in two sentences.",
        messages: [
          {
            role: "user",
            parts: [
              {
                kind: "text",
                key: "0.0",
                text: "Which of these databases got more expensive?\n\norders 120\nusers 80",
              },
              { kind: "image", mimeType: "image/png", data: PIXEL },
            ],
          },
          {
            role: "assistant",
            parts: [{ kind: "data", title: "Use of the tool “lookup”", text: '{\n  "month": 10\n}' }],
          },
          {
            role: "user",
            parts: [{ kind: "data", title: "Result of a tool", text: '{\n  "content": []\n}' }],
          },
        ],
        facts: [
          { name: "At most", value: "400 tokens" },
          { name: "The server suggests", value: "sonnet, gpt" },
        ],
        tools: [
          {
            name: "lookup",
            description: "Looks up the costs of a month.",
            schema: '{\n  "type": "object"\n}',
          },
        ],
        warnings: ["The server wants context from servers to be added. Nothing is added."],
      },
      models: [
        { id: "big", label: "Big Model (copilot)" },
        { id: "small", label: "Small Model (local)" },
      ],
      model: "big",
      modelReason: "You used this model for this server before.",
      stage: promptStage,
      ...over,
    },
  };
}
