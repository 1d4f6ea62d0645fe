import assert from "node:assert/strict";
import { chatQuestion, dialogQuestion } from "../../../../src/host/chat/callQuestion.ts";
import { connected, fakeEntry, fakeTool } from "../fakePool.ts";
import { english } from "../panels/english.ts";

function tool(name: string, serverId = "db") {
  const one = fakeTool(name, { displayName: "Harmless title", annotations: { readOnlyHint: true } });
  return { serverId, tool: one, entry: fakeEntry(serverId, connected([one])) };
}

describe("dialogQuestion", () => {
  // Duty: 1.4.10, 7.2.4
  it("names the configured server, the exact tool and the real arguments", () => {
    const question = dialogQuestion(tool("delete_database"), { id: "x" }, english);
    assert.equal(question.title, "Allow chat to call “delete_database” on the server “db”?");
    assert.match(question.detail, /\{\n {2}"id": "x"\n\}/);
    assert.match(question.detail, /The server says of this tool, unchecked: claims to be read-only\./);
    assert.equal(question.rest, undefined);
    assert.ok(!`${question.title}${question.detail}`.includes("Harmless title"));
  });

  it("offers the whole arguments when the dialog cannot hold them", () => {
    for (const args of [
      { text: "x".repeat(5000) },
      { list: Array.from({ length: 100 }, (_, index) => index) },
    ]) {
      const question = dialogQuestion(tool("t"), args, english);
      assert.ok(question.detail.length < 2_000);
      assert.match(question.detail, /longer than this dialog/);
      assert.equal(question.rest, JSON.stringify(args, undefined, 2));
    }
  });

  it("shows every digit of an integer", () => {
    const args = { id: 9007199254740993n };
    assert.match(dialogQuestion(tool("t"), args, english).detail, /"id": 9007199254740993\n/);
    assert.match(chatQuestion(tool("t"), args, english).body, /"id": 9007199254740993\n/);
  });

  it("writes out what cannot be seen", () => {
    const question = dialogQuestion(tool("t\u202exe"), { path: "a\u202eb", "k\u200b": "\u0000" }, english);
    assert.match(question.title, /“t\\u\{202e\}xe”/);
    assert.match(question.detail, /a\\u\{202e\}b/);
    assert.match(question.detail, /k\\u\{200b\}/);
  });
});

describe("chatQuestion", () => {
  it("keeps everything of the server and the model from being Markdown", () => {
    const args = { note: "```\n[click](command:workbench.action.quit)\n```" };
    const { title, body } = chatQuestion(tool("a_b **bold**", "srv](command:x)"), args, english);
    assert.equal(title, "Call “a_b **bold**” on the server “srv](command:x)”?");
    assert.ok(body.includes("**srv\\]\\(command\\:x\\)**"));
    assert.ok(body.includes("**a\\_b \\*\\*bold\\*\\***"));
    const block = /(`{3,})json\n(.*)\n\1/s.exec(body);
    assert.deepEqual(JSON.parse(block?.[2] ?? ""), args);
  });
});

describe("the question about a resource or a prompt", () => {
  const entry = fakeEntry("db", connected([]));

  it("shows the whole address, with every hidden character written out", () => {
    const target = { serverId: "db", entry, uri: "file:///home/me/\u202Etxt.ssh`x`" };
    const dialog = dialogQuestion(target, {}, english);
    assert.equal(dialog.title, "Allow chat to read a resource of the server “db”?");
    assert.equal(dialog.detail, "Address:\nfile:///home/me/\\u{202e}txt.ssh`x`");
    const chat = chatQuestion(target, {}, english);
    assert.equal(chat.title, "Read a resource of the server “db”?");
    assert.match(chat.body, /Address:\n\n(`{2,})\w*\nfile:\/\/\/home[^\n]*`x`\n\1/);
  });

  it("offers a long address as a whole", () => {
    const uri = `a:${"x".repeat(5_000)}`;
    const dialog = dialogQuestion({ serverId: "db", entry, uri }, {}, english);
    assert.equal(dialog.rest, uri);
    assert.equal(dialog.showAll, "Show Whole Address");
    assert.match(dialog.detail, /longer than this dialog/);
  });

  it("names the exact prompt and its real arguments", () => {
    const prompt = { name: "plan", displayName: "Harmless", arguments: [], raw: { name: "plan" } };
    const target = { serverId: "db", entry, prompt };
    const dialog = dialogQuestion(target, { workload: "x" }, english);
    assert.equal(dialog.title, "Allow chat to get the prompt “plan” of the server “db”?");
    assert.match(dialog.detail, /"workload": "x"/);
    assert.ok(!`${dialog.title}${dialog.detail}`.includes("Harmless"));
    const chat = chatQuestion(target, { workload: "x" }, english);
    assert.equal(chat.title, "Get the prompt “plan” of the server “db”?");
    assert.match(chat.body, /"workload": "x"/);
  });
});
