import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { createScriptedInput, type ScriptedAnswer } from "../../../src/cli/scriptedInput.ts";
import type { ElicitationRequest, InputResponse } from "../../../src/protocol/mrtr/inputRequired.ts";

const form = (key: string): ElicitationRequest => ({
  kind: "form",
  key,
  message: "m",
  form: { fields: [], schema: {} },
});
const SIGNAL = new AbortController().signal;

async function answer(
  answers: readonly ScriptedAnswer[],
  ...rounds: readonly (readonly ElicitationRequest[])[]
): Promise<readonly Record<string, InputResponse>[]> {
  const input = createScriptedInput(answers);
  const given: Record<string, InputResponse>[] = [];
  for (const requests of rounds) {
    const round = {
      callId: "c",
      serverId: "s",
      method: "tools/call",
      target: "t",
      round: 1,
      maxRounds: 10,
      requests,
    };
    given.push(Object.fromEntries(await input.handle(round, SIGNAL)));
  }
  return given;
}

describe("createScriptedInput", () => {
  it("takes one entry a round, and cancels when there is none left", async () => {
    assert.deepEqual(
      await answer([{ a: 1, b: ["x"], c: true }, "decline"], [form("k")], [form("k")], [form("k")]),
      [
        { k: { action: "accept", content: { a: 1, b: ["x"], c: true } } },
        { k: { action: "decline" } },
        { k: { action: "cancel" } },
      ],
    );
  });

  it("takes the values below the server's key, which a round with several requests needs", async () => {
    assert.deepEqual(
      await answer([{ one: { a: 1 }, two: "decline" }], [form("one"), form("two"), form("three")]),
      [
        {
          one: { action: "accept", content: { a: 1 } },
          two: { action: "decline" },
          three: { action: "cancel" },
        },
      ],
    );
  });

  it("never opens an address", async () => {
    const url: ElicitationRequest = { kind: "url", key: "u", message: "m", url: "https://a.test" };
    assert.deepEqual(await answer([{ u: { a: 1 } }], [url]), [{ u: { action: "cancel" } }]);
    assert.deepEqual(createScriptedInput([]).modes, { form: true, url: false });
  });
});
