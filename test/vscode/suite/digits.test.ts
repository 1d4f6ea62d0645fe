import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ScriptedHttp } from "../../support/scriptedHttp.ts";
import { digitServerOverHttp, HUGE, ODD } from "../../support/digitServer.ts";
import { activated, answerDialogs, run } from "./hostSupport.ts";

const SERVER = "suite-digits";

describe("integers beyond 2^53 in the editor", () => {
  let server: ScriptedHttp;

  before(async () => {
    await activated();
    server = await digitServerOverHttp("json");
    await run("addServer", { name: SERVER, definition: { type: "http", url: server.url } });
    await run("connect", SERVER);
  });

  after(async () => {
    await run("removeServer", SERVER, { force: true });
    await server.close();
  });

  it("keep every digit for another extension, and in the dialog that asks about its call", async () => {
    const api = await activated();
    const dialogs = answerDialogs("showWarningMessage", () => "Allow Once");
    try {
      const result = await api.callTool(SERVER, "echo", { id: ODD }, { caller: "The suite" });
      assert.deepEqual(result["structuredContent"], { echo: { id: ODD }, huge: HUGE });
    } finally {
      dialogs.restore();
    }
    assert.match(dialogs.shown[0]?.detail ?? "", /"id": 9007199254740993\n/);
  });

  it("are not sent when a model's were rounded, and are sent when it writes their digits", async () => {
    const call = async (id: unknown): Promise<string> => {
      const input = { server: SERVER, tool: "echo", arguments: { id } };
      const { content } = await vscode.lm.invokeTool("signalbox_call_tool", {
        input,
        toolInvocationToken: undefined,
      });
      return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
    };
    const before = server.requests.length;
    assert.match(await call(Number(ODD)), /rounded to 9007199254740992 .* Nothing was called/);
    assert.equal(server.requests.length, before);
    const dialogs = answerDialogs("showWarningMessage", ({ choices }) => choices[0]);
    try {
      const text = await call(String(ODD));
      assert.match(text, /"echo":\{"id":9007199254740993\},"huge":12345678901234567890123/);
    } finally {
      dialogs.restore();
    }
  });
});
