import assert from "node:assert/strict";
import { type AnswerPart, collectAnswer } from "../../../../src/host/sampling/collectAnswer.ts";

/** A model whose tokens are four characters long. */
const countTokens = (text: string): Promise<number> => Promise.resolve(Math.ceil(text.length / 4));

async function collect(
  texts: readonly (string | AnswerPart)[],
  over: { readonly maxTokens?: number; readonly stopSequences?: readonly string[] } = {},
): Promise<{ text: string; stopReason: string | undefined; read: number; tools: number }> {
  let read = 0;
  async function* stream(): AsyncIterable<AnswerPart> {
    for (const part of texts) {
      read += 1;
      yield await Promise.resolve(typeof part === "string" ? { kind: "text", text: part } : part);
    }
  }
  const limits = { maxTokens: 1_000, stopSequences: [], countTokens, onText: () => undefined, ...over };
  const { content, stopReason } = await collectAnswer(stream(), limits);
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  return { text, stopReason, read, tools: content.filter(({ type }) => type === "tool_use").length };
}

describe("a model's answer", () => {
  it("is the whole text when it is within the limits", async () => {
    assert.deepEqual(await collect(["a", "b"]), { text: "ab", stopReason: "endTurn", read: 2, tools: 0 });
    assert.equal((await collect([])).text, "");
  });

  // Duty: 11.1.3
  it("has no more tokens than the server allows, however much the model writes", async () => {
    const chunks = Array.from({ length: 1_000 }, () => "0123456789".repeat(10));
    const { text, stopReason, read } = await collect(chunks, { maxTokens: 50 });
    assert.equal(text.length, 200);
    assert.equal(stopReason, "maxTokens");
    assert.ok(read < 20, "the stream is left there");
  });

  it("is not cut when it only looks long", async () => {
    const { text, stopReason } = await collect(["x".repeat(200)], { maxTokens: 50 });
    assert.deepEqual([text.length, stopReason], [200, "endTurn"]);
  });

  it("is never cut within a character", async () => {
    const { text } = await collect(["ab😀".repeat(50)], { maxTokens: 5 });
    assert.ok(!/[\ud800-\udbff]$/.test(text));
    assert.ok(text.length >= 19);
  });

  it("ends before the first stop sequence, also one that comes in pieces", async () => {
    const { text, stopReason, read } = await collect(["one EN", "D two", "three"], {
      stopSequences: ["two", "END"],
    });
    assert.deepEqual([text, stopReason, read], ["one ", "stopSequence", 2]);
  });

  // Duty: 11.1.6
  it("says that tools are wanted", async () => {
    const call: AnswerPart = { kind: "tool", id: "1", name: "look", input: {} };
    assert.deepEqual(await collect(["Let me look", call, call]), {
      text: "Let me look",
      stopReason: "toolUse",
      read: 3,
      tools: 2,
    });
    assert.equal((await collect([call])).tools, 1);
  });
});
