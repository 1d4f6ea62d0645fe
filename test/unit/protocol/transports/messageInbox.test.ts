import assert from "node:assert/strict";
import { stringifyJson } from "../../../../src/base/json.ts";
import { MessageInbox } from "../../../../src/protocol/transports/messageInbox.ts";
import { LARGE_TEXT } from "../../../../src/protocol/transports/parseMessage.ts";

/** A message of more than two megabytes whose size is in many small members. */
function large(id: number): string {
  const tools = Array.from({ length: 30_000 }, (_, index) => ({
    name: `tool_${String(index)}`,
    description: "x".repeat(50),
  }));
  const text = stringifyJson({ jsonrpc: "2.0", id, result: { tools } });
  assert.ok(text.length > LARGE_TEXT);
  return text;
}

const small = (method: string): string => stringifyJson({ jsonrpc: "2.0", method });

describe("MessageInbox", () => {
  function open(): { readonly inbox: MessageInbox; readonly seen: string[] } {
    const seen: string[] = [];
    const source = { pause: () => seen.push("pause"), resume: () => seen.push("resume") };
    const inbox = new MessageInbox(source, (parsed) => {
      if (parsed.kind === "notification") seen.push(parsed.message.method);
      else if (parsed.kind === "response") seen.push(`answer ${String(parsed.message.id)}`);
      else seen.push(parsed.kind);
    });
    return { inbox, seen };
  }

  const read = (inbox: MessageInbox): Promise<void> => new Promise((resolve) => inbox.whenRead(resolve));

  it("hands small messages on at once", () => {
    const { inbox, seen } = open();
    inbox.put(small("a"));
    inbox.put("no JSON");
    inbox.whenRead(() => seen.push("read"));
    assert.deepEqual(seen, ["a", "not-json", "read"]);
  });

  it("keeps the order around large messages, and stops the source meanwhile", async () => {
    const { inbox, seen } = open();
    inbox.put(small("a"));
    inbox.put(large(1));
    inbox.put(small("b"));
    inbox.whenRead(() => seen.push("b was read"));
    inbox.put(large(2));
    inbox.put(small("c"));
    assert.deepEqual(seen, ["a", "pause"]);
    await read(inbox);
    await new Promise(setImmediate);
    assert.deepEqual(seen, ["a", "pause", "answer 1", "b", "b was read", "pause", "answer 2", "c", "resume"]);
  });

  it("lets other work go on while a large message is read", async () => {
    const { inbox, seen } = open();
    inbox.put(stringifyJson({ jsonrpc: "2.0", id: 1, result: { items: Array(2_000_000).fill({ a: 1 }) } }));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (seen.length < 2) setImmediate(count);
    };
    setImmediate(count);
    await read(inbox);
    assert.ok(turns > 5, `${String(turns)} turns`);
  });

  it("says that a large text is none", async () => {
    const { inbox, seen } = open();
    inbox.put(`${large(1)}]`);
    inbox.put(`{"jsonrpc":"2.0","method":"${"x".repeat(LARGE_TEXT)}`);
    await read(inbox);
    assert.deepEqual(seen.filter((item) => item === "not-json").length, 2);
  });
});
