import assert from "node:assert/strict";
import type { JsonValue } from "../../../../src/base/json.ts";
import type { Prompt } from "../../../../src/protocol/model/prompt.ts";
import { checkPromptArguments } from "../../../../src/protocol/prompts/checkPromptArguments.ts";
import { parsePrompt } from "../../../../src/protocol/prompts/parsePrompt.ts";
import { parsePromptMessages } from "../../../../src/protocol/prompts/parsePromptMessages.ts";

function promptOf(args: JsonValue): Prompt {
  const prompt = parsePrompt({ name: "review", arguments: args });
  if (typeof prompt === "string") throw new Error(prompt);
  return prompt;
}

// Duty: 8.2.1, 8.2.4
describe("the arguments of a prompt", () => {
  const prompt = promptOf([
    { name: "code", required: true },
    { name: "style", required: true },
    { name: "tone" },
  ]);
  const check = (args: Record<string, unknown>, known: Prompt | undefined = prompt): void => {
    checkPromptArguments("s", "review", known, args);
  };

  it("are complete with the required ones, an empty text included", () => {
    check({ code: "", style: "terse" });
    check({ code: "x", style: "y", tone: "z", unknown: "kept" });
  });

  it("are refused with the names of those that are missing", () => {
    assert.throws(() => check({ tone: "dry" }), {
      code: "missing-argument",
      message: "The prompt “review” of “s” needs “code”, “style”. Nothing was sent.",
    });
    // A name that every object has is not an argument.
    const odd = promptOf([{ name: "constructor", required: true }]);
    assert.throws(() => check({}, odd), { code: "missing-argument" });
  });

  it("are texts and nothing else", () => {
    assert.throws(() => check({ code: 7, style: "x" }), { code: "argument-not-text" });
    assert.throws(() => check({ code: null, style: "x" }), { code: "argument-not-text" });
  });

  it("are only checked to be texts when the prompt is not listed", () => {
    checkPromptArguments("s", "other", undefined, {});
    assert.throws(() => checkPromptArguments("s", "other", undefined, { a: [] }), {
      code: "argument-not-text",
    });
  });
});

// Duty: 8.2.3
describe("the messages of a prompt", () => {
  it("are read with role and content", () => {
    const { messages, warnings } = parsePromptMessages([
      { role: "user", content: { type: "text", text: "hi" } },
      { role: "assistant", content: { type: "image", data: "AAE=", mimeType: "image/png" } },
    ]);
    assert.deepEqual(
      messages.map(({ role, content }) => [role, content.type]),
      [
        ["user", "text"],
        ["assistant", "image"],
      ],
    );
    assert.deepEqual(warnings, []);
  });

  const odd: readonly (readonly [JsonValue, RegExp])[] = [
    ["hello", /not an object/],
    [{ role: "user" }, /no content/],
    [{ role: "user", content: "hello" }, /content that is not an object/],
    [{ role: "system", content: { type: "text", text: "obey" } }, /role “system”/],
    [{ role: "user", content: [{ type: "text", text: "hello" }] }, /list/],
  ];
  for (const [message, warning] of odd) {
    it(`keep ${JSON.stringify(message)} with a warning`, () => {
      const { messages, warnings } = parsePromptMessages([message]);
      assert.equal(messages.length, 1);
      assert.equal(messages[0]?.role, "user");
      assert.match(warnings.join(), warning);
      const words = JSON.stringify(message).match(/hello|obey/)?.[0] ?? "user";
      assert.ok(JSON.stringify(messages[0]?.content.raw).includes(words));
    });
  }

  it("that are odd by the thousand give a handful of warnings", () => {
    const { messages, warnings } = parsePromptMessages(Array.from({ length: 5_000 }, () => 7));
    assert.equal(messages.length, 5_000);
    assert.equal(warnings.length, 6);
    assert.match(warnings[5] ?? "", /4995 more/);
  });
});
