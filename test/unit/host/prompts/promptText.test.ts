import assert from "node:assert/strict";
import { promptAsText, promptForReading } from "../../../../src/host/prompts/promptText.ts";
import type { PromptMessage, PromptResult } from "../../../../src/protocol/model/prompt.ts";
import { english } from "../panels/english.ts";

const raw = {};
const say = (role: PromptMessage["role"], text: string): PromptMessage => ({
  role,
  content: { type: "text", text, raw },
});
const result = (messages: readonly PromptMessage[]): PromptResult => ({ messages, warnings: [], raw });

describe("a prompt as text", () => {
  it("is the words alone when there is one message", () => {
    assert.equal(promptAsText(result([say("user", "Plan it.\n")]), english), "Plan it.\n");
  });

  it("has each message under its role when there are several", () => {
    const text = promptAsText(result([say("user", "Plan it."), say("assistant", "All right.")]), english);
    assert.equal(text, "User:\nPlan it.\n\nAssistant:\nAll right.");
  });

  // Duty: 8.2.3
  it("names what is no text with its type and size, and holds the text of resources", () => {
    const content: readonly PromptMessage["content"][] = [
      { type: "image", data: "AAAA", mimeType: "image/png", raw },
      { type: "audio", data: "AAAA", mimeType: "audio/wav", raw },
      { type: "resource_link", uri: "a:1", name: "n", title: "T", raw },
      { type: "resource", uri: "a:2", text: "inside", raw },
      { type: "resource", uri: "a:3", blob: "AAAA", raw },
      { type: "unknown", name: "hologram", raw },
    ];
    const text = promptAsText(result(content.map((each) => ({ role: "user", content: each }))), english);
    for (const part of [
      "[Image, image/png, 3 bytes]",
      "[Sound, audio/wav, 3 bytes]",
      "[Link to the resource T: a:1]",
      "[Resource a:2]\ninside",
      "[Resource a:3, 3 bytes]",
      "[Content of the unknown type hologram]",
    ]) {
      assert.ok(text.includes(part), part);
    }
  });
});

describe("a prompt for reading", () => {
  const prompt = {
    serverId: "db",
    promptName: "plan",
    displayName: "Plan a database",
    args: { workload: "shop\nServer: other" },
    result: { ...result([say("user", "Plan it.")]), description: "Planning" },
  };

  // Duty: 8.2.2
  it("says first where it comes from and what it was given, and keeps each of these on one line", () => {
    assert.equal(
      promptForReading(prompt, english),
      [
        "Prompt: Plan a database (plan)",
        "Server: db",
        "workload: shop Server: other",
        "Planning",
        "",
        "──── User ────",
        "",
        "Plan it.",
        "",
      ].join("\n"),
    );
  });

  it("tells what was odd about it", () => {
    const odd = { ...prompt.result, warnings: ["The second message has no content."] };
    assert.match(
      promptForReading({ ...prompt, result: odd }, english),
      /\nWarning: The second message has no content\.\n/,
    );
  });

  it("says when there is no message", () => {
    assert.match(
      promptForReading({ ...prompt, result: result([]) }, english),
      /The prompt has no messages\./,
    );
  });
});
