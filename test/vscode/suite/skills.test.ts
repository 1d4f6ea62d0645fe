import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { JsonObject } from "../../../src/base/json.ts";
import { type ApprovalChoice, ShownCalls } from "../../../src/host/chat/approvals.ts";
import { RESOURCE_SCHEME } from "../../../src/host/resources/resourceAddress.ts";
import { createReadSkill } from "../../../src/host/skills/lmReadSkill.ts";
import type { Skill } from "../../../src/protocol/model/skill.ts";
import { connected, fakeEntry, FakePool } from "../../unit/host/fakePool.ts";
import { activated, answerDialogs, DEMO, type Dialogs, run, until } from "./hostSupport.ts";

const SERVER = "skills-demo";
const MAIN = "skill://plan-database/SKILL.md";

describe("host: skills", function () {
  this.timeout(60_000);
  let errors: Dialogs;

  before(async () => {
    await activated();
    const definition: JsonObject = { ...DEMO, skills: true };
    await run("addServer", { name: SERVER, definition });
    await run("connect", SERVER);
  });

  after(async () => {
    await run("removeServer", SERVER, { force: true });
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  beforeEach(() => {
    errors = answerDialogs("showErrorMessage", () => undefined);
  });

  afterEach(() => {
    errors.restore();
  });

  it("opens a verified SKILL.md as a read-only document under the name of the skill", async () => {
    const opened = await run<string>("readSkill", SERVER, MAIN);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.toString(), opened);
    assert.equal(document?.uri.scheme, RESOURCE_SCHEME);
    assert.match(document.uri.path, /plan-database SKILL\.md$/);
    assert.match(document.getText(), /^---\nname: plan-database\n/);
  });

  it("opens another file of it by its path", async () => {
    await run("readSkill", SERVER, MAIN, "references/CHOICES.md");
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? "", /^# What there is/);
  });

  it("says why a file that the skill does not list is not read", async () => {
    assert.equal(await run("readSkill", SERVER, MAIN, "../../etc/passwd"), undefined);
    await until(
      () => errors.shown.length > 0,
      (look) => errors.onDidShow(look),
      "the error is shown",
    );
    assert.match(errors.shown[0]?.message ?? "", /lists no file “\.\.\/\.\.\/etc\/passwd”/);
  });

  it("opens a file that is chosen among the resources as that of the skill", async () => {
    const opened = await run<string>("readResource", SERVER, MAIN);
    assert.match(opened, /skill%3D/);
  });

  it("copies its name", async () => {
    assert.equal(await run("copySkillName", SERVER, MAIN), "plan-database");
    assert.equal(await vscode.env.clipboard.readText(), "plan-database");
  });
});

describe("chat: the tool that reads skills", () => {
  const source = new vscode.CancellationTokenSource();
  const skill: Skill = {
    uri: "skill://pdf/SKILL.md",
    name: "pdf",
    description: "",
    frontMatter: {},
    files: [{ uri: "skill://pdf/SKILL.md", path: "SKILL.md", sha256: "", size: 6 }],
    raw: { uri: "skill://pdf/SKILL.md" },
  };
  const pools: FakePool[] = [];
  after(() => source.dispose());
  afterEach(() => {
    for (const pool of pools.splice(0)) pool.dispose();
  });

  function open(answer: ApprovalChoice) {
    const state = connected([]);
    const items = [{ skill, standing: { kind: "unread" } as const }];
    const lists = { ...state.lists, skills: { kind: "listed", items, warnings: [] } as const };
    const read: unknown[] = [];
    const [file] = skill.files;
    const fake = Object.assign(new FakePool([fakeEntry("srv", { ...state, lists })]), {
      readSkill: async (id: string, wanted: unknown) => {
        read.push([id, wanted]);
        const result = { skill, file, text: "Do it.", bytes: Buffer.from("Do it."), mimeType: undefined };
        return { callId: "c", durationMs: 1, rounds: 0, result };
      },
    });
    pools.push(fake);
    const tool = createReadSkill(
      { pool: fake.pool, inputHandler: {} } as unknown as Parameters<typeof createReadSkill>[0],
      { shown: new ShownCalls(), askApproval: async () => answer, offerCures: () => undefined },
    );
    const input = { server: "srv", skill: "skill://pdf/SKILL.md" };
    const make = async (): Promise<string> => {
      const result = await tool.invoke({ input, toolInvocationToken: undefined }, source.token);
      return (result?.content ?? [])
        .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))
        .join("");
    };
    return { tool, input, read, make };
  }

  it("shows whose skill it is before it is read", async () => {
    const { tool, input, read } = open("deny");
    const prepared = await tool.prepareInvocation?.({ input }, source.token);
    assert.equal(prepared?.confirmationMessages?.title, "Read the skill “pdf” of the server “srv”?");
    assert.deepEqual(read, []);
  });

  it("reads nothing when the person does not want it", async () => {
    const { make, read } = open("deny");
    assert.match(await make(), /did not allow/);
    assert.deepEqual(read, []);
  });

  it("gives what was verified, marked as the server's", async () => {
    const { make } = open("once");
    const text = await make();
    assert.match(text, /of the MCP server "srv"/);
    assert.match(text, /Do it\.$/);
  });
});
