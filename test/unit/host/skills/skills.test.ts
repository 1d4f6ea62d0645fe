import assert from "node:assert/strict";
import { fillTemplate } from "../../../../src/base/errors.ts";
import type { ServerEntry } from "../../../../src/client/serverPool.ts";
import type { ListedSkill, SkillStanding } from "../../../../src/client/skills/skillShelf.ts";
import { definitionDigest } from "../../../../src/host/chat/approvals.ts";
import { skillFromChat, readFromChat } from "../../../../src/host/chat/callFromChat.ts";
import { chatQuestion, dialogQuestion } from "../../../../src/host/chat/callQuestion.ts";
import { findSkill } from "../../../../src/host/chat/findTarget.ts";
import { listForModel } from "../../../../src/host/chat/listedForModel.ts";
import { readAddress, toAddressParts } from "../../../../src/host/resources/resourceAddress.ts";
import { skillOfResource } from "../../../../src/host/skills/skillsOf.ts";
import { childrenOfSkill, skillsSection } from "../../../../src/host/skills/skillsSection.ts";
import type { SkillNode, TreeContext } from "../../../../src/host/views/nodes.ts";
import { EngineError } from "../../../../src/protocol/engineError.ts";
import type { Skill, VerifiedFile } from "../../../../src/protocol/model/skill.ts";
import { connected, fakeEntry, FakePool, fakeTool } from "../fakePool.ts";
import { english } from "../panels/english.ts";

const context: TreeContext = {
  t: (text, args = {}) => fillTemplate(text, args),
  describe: (problem) => ({ message: problem.message }),
  maySample: () => false,
  isWatched: () => false,
  isChanged: () => false,
};

function skill(root: string, paths: readonly string[] = [], more: Partial<Skill> = {}): Skill {
  const name = root.slice(root.lastIndexOf("/") + 1);
  const files = ["SKILL.md", ...paths].map((path) => ({
    uri: `${root}/${path}`,
    path,
    sha256: "0".repeat(64),
    size: 2_048,
  }));
  const description = `How to do ${name}`;
  return {
    uri: `${root}/SKILL.md`,
    name,
    description,
    frontMatter: { name, description },
    files,
    raw: { uri: `${root}/SKILL.md`, resources: paths },
    ...more,
  };
}

const refusal = new EngineError("skill-digest", { server: "s", skill: "pdf", file: "SKILL.md" });
const refused: SkillStanding = { kind: "refused", problem: refusal };

function server(skills: readonly (Skill | ListedSkill)[], id = "s"): ServerEntry {
  const state = connected([fakeTool("a")]);
  const items = skills.map((each): ListedSkill =>
    "standing" in each ? each : { skill: each, standing: { kind: "unread" } },
  );
  return fakeEntry(id, {
    ...state,
    lists: { ...state.lists, skills: { kind: "listed", items, warnings: [] } },
  });
}

function nodesOf(entry: ServerEntry): readonly SkillNode[] {
  assert.ok(entry.state.kind === "connected");
  return skillsSection
    .children(entry, entry.state, context)
    .filter((node): node is SkillNode => node.kind === "skill");
}

describe("skills in the tree", () => {
  it("say what is known of each, by more than colour", () => {
    const entry = server([
      skill("skill://pdf"),
      { skill: skill("skill://xls"), standing: { kind: "verified" } },
      { skill: skill("skill://doc"), standing: refused },
    ]);
    assert.ok(entry.state.kind === "connected");
    assert.equal(skillsSection.heading(entry.state, context.t)?.label, "Skills");
    assert.equal(skillsSection.heading(entry.state, context.t)?.count, 3);
    assert.deepEqual(
      nodesOf(entry).map(({ item }) => [item.label, item.description, item.icon.id, item.contextValue]),
      [
        ["pdf", "not read yet · How to do pdf", "mortar-board", "skill"],
        ["xls", "verified · How to do xls", "verified", "skill"],
        ["doc", "refused · How to do doc", "error", "skill.refused"],
      ],
    );
    const last = nodesOf(entry).at(-1)?.item;
    assert.match(last?.accessibleLabel ?? "", /^Skill doc of server s, refused/);
    assert.ok(last?.tooltip.some(({ text }) => text === refusal.message));
  });

  it("have their other files below them, with paths that are kept on one line", () => {
    const entry = server([skill("skill://pdf", ["references/FORMS.md", "a\u202e\nb.md"])]);
    const [node] = nodesOf(entry);
    assert.ok(node !== undefined);
    assert.equal(node.item.children, "collapsed");
    assert.deepEqual(
      childrenOfSkill(node, entry, context).map(({ file, item }) => [file, item.label, item.description]),
      [
        ["skill://pdf/references/FORMS.md", "references/FORMS.md", "2.0 KiB"],
        ["skill://pdf/a\u202e\nb.md", "a b.md", "2.0 KiB"],
      ],
    );
  });
});

describe("the skill of a resource", () => {
  const entry = server([
    skill("skill://acme"),
    skill("skill://acme/nested"),
    { skill: skill("skill://bad", [], { files: [] }), standing: refused },
  ]);
  for (const [uri, expected] of [
    ["skill://acme/SKILL.md", "skill://acme/SKILL.md"],
    ["skill://acme/references/new.md", "skill://acme/SKILL.md"],
    ["skill://acme/nested/x.md", "skill://acme/nested/SKILL.md"],
    ["skill://bad/x.md", "skill://bad/SKILL.md"],
    ["skill://acme-other/x.md", undefined],
    ["docs://guide", undefined],
  ] as const) {
    it(`${uri} is ${expected ?? "none"}`, () => {
      assert.equal(skillOfResource(entry, uri)?.skill, expected);
    });
  }
});

describe("the address of a file of a skill in the editor", () => {
  it("says which skill it is verified by", () => {
    const address = { serverId: "s", uri: "skill://a/x.md", part: 0, skill: "skill://a/SKILL.md" };
    assert.deepEqual(readAddress(toAddressParts(address, "x.md")), address);
  });
});

describe("skills in chat", () => {
  it("are listed with their URIs, and those that were refused are not", () => {
    const entry = server([skill("skill://pdf"), { skill: skill("skill://doc"), standing: refused }]);
    const text = listForModel([entry], { query: "", kind: "skills" });
    assert.match(text, /"server":"s","skill":"skill:\/\/pdf\/SKILL.md","name":"pdf"/);
    assert.ok(!text.includes("skill://doc"));
  });

  it("are found by URI, and by a name that is the only one", () => {
    const entry = server([skill("skill://a/pdf"), skill("skill://b/pdf"), skill("skill://xls")]);
    const find = (name: string): string => {
      const found = findSkill([entry], "s", name, undefined);
      return found.kind === "found" ? found.target.skill.uri : found.hint;
    };
    assert.equal(find("skill://b/pdf/SKILL.md"), "skill://b/pdf/SKILL.md");
    assert.equal(find("xls"), "skill://xls/SKILL.md");
    assert.match(find("pdf"), /More than one skill .* "skill:\/\/a\/pdf\/SKILL.md"/);
    assert.match(find("xlss"), /lists no skill .* Near names: "xls"/);
  });

  it("are asked about with the server's name, the URI and the file", () => {
    const entry = server([]);
    const target = { entry, serverId: "s", skill: skill("skill://pdf"), file: "references/FORMS.md" };
    const { title, detail } = dialogQuestion(target, {}, english);
    assert.equal(title, "Allow chat to read the skill “pdf” of the server “s”?");
    assert.match(detail, /skill:\/\/pdf\/SKILL\.md\nreferences\/FORMS\.md/);
    assert.match(chatQuestion(target, {}, english).body, /in the words of the server/);
  });

  it("are allowed as their entry is, and another set of files is asked about anew", () => {
    const entry = server([]);
    const digest = (one: Skill, file?: string): string =>
      definitionDigest({ entry, serverId: "s", skill: one, file });
    const before = digest(skill("skill://pdf"));
    assert.equal(digest(skill("skill://pdf")), before);
    assert.notEqual(digest(skill("skill://pdf", ["new.md"])), before);
    assert.notEqual(digest(skill("skill://pdf"), "new.md"), before);
  });
});

describe("a skill for a model", () => {
  const options = {
    signal: new AbortController().signal,
    input: { modes: { form: false, url: false }, handle: () => Promise.resolve(new Map()) },
    maxResultBytes: 1_000,
  };
  const one = skill("skill://pdf", ["references/FORMS.md"]);
  const [file] = one.files;

  const pools: FakePool[] = [];
  afterEach(() => {
    for (const pool of pools.splice(0)) pool.dispose();
  });

  function poolOf(read: () => Promise<VerifiedFile>): FakePool {
    const fake = new FakePool([server([one])]);
    pools.push(fake);
    const readSkill = async (): Promise<object> => ({
      callId: "c",
      durationMs: 1,
      rounds: 0,
      result: await read(),
    });
    return Object.assign(fake, { readSkill });
  }

  const verified = (): Promise<VerifiedFile> => {
    assert.ok(file !== undefined);
    const text = "Do it.";
    return Promise.resolve({ skill: one, file, text, bytes: Buffer.from(text), mimeType: "text/markdown" });
  };

  it("comes with whose words they are, what they are worth, and its other files", async () => {
    const { pool } = poolOf(verified);
    const { parts, failed } = await skillFromChat(
      pool,
      { serverId: "s", skill: one, file: undefined },
      options,
    );
    const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
    assert.equal(failed, false);
    assert.match(text, /of the MCP server "s"/);
    assert.match(text, /not of the user, and no skill of this editor/);
    assert.match(text, /"references\/FORMS\.md"/);
    assert.match(text, /Do it\.$/);
  });

  it("is a failure when it is not verified, whichever way it is read", async () => {
    const fake = poolOf(() => Promise.reject(refusal));
    const ways = [
      skillFromChat(fake.pool, { serverId: "s", skill: one, file: undefined }, options),
      readFromChat(fake.pool, { serverId: "s", uri: "skill://pdf/SKILL.md" }, options),
    ];
    for (const { parts, failed } of await Promise.all(ways)) {
      assert.equal(failed, true);
      assert.match(parts[0]?.kind === "text" ? parts[0].text : "", /digest differs/);
    }
    assert.deepEqual(fake.read, []);
  });
});
