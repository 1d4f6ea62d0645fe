import assert from "node:assert/strict";
import { formatText } from "../../../src/cli/formatReport.ts";
import { parseArguments } from "../../../src/cli/parseArguments.ts";
import type { Report } from "../../../src/cli/report.ts";
import { runCommand } from "../../../src/cli/runCommand.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import type { PlaceholderPorts } from "../../../src/client/resolveConfig.ts";
import { SkillServer, skillText } from "../../support/skillServer.ts";

const NONE = {
  userHome: () => "",
  startFolder: () => process.cwd(),
  hint: () => undefined,
} as unknown as PlaceholderPorts;
const ROOT = "skill://acme/pdf";

describe("the command line for skills", () => {
  let server: SkillServer;
  beforeEach(async () => {
    server = await SkillServer.start("modern");
    server.add(ROOT, { "SKILL.md": skillText("pdf"), "references/FORMS.md": "# Forms\n" });
  });
  afterEach(() => server.close());

  async function run(...argv: readonly string[]): Promise<Report> {
    const invocation = parseArguments([...argv, "--config", "f"]);
    if (invocation.kind !== "run") throw new Error("It is no command");
    const [config] = parseServers({ s: { url: server.http.url } }, "file").servers;
    if (config === undefined) throw new Error("There is no server");
    return runCommand(
      invocation,
      config,
      {},
      {
        placeholders: NONE,
        clientInfo: { name: "test", version: "1" },
        log: undefined,
        signal: new AbortController().signal,
      },
    );
  }

  it("lists them and reads none", async () => {
    const report = await run("skills", "s");
    assert.equal(formatText(report).out, `${ROOT}/SKILL.md  pdf  How to do pdf\n`);
    assert.deepEqual(server.reads, []);
  });

  it("prints what is verified, by name, by URI and by file", async () => {
    assert.equal(formatText(await run("skill", "s", "pdf")).out, `${skillText("pdf")}\n`);
    const byUri = await run("skill", "s", `${ROOT}/SKILL.md`, "references/FORMS.md");
    assert.deepEqual([byUri.skill?.path, byUri.skill?.text], ["references/FORMS.md", "# Forms\n"]);
  });

  it("prints nothing of what is not", async () => {
    server.files.set(`${ROOT}/SKILL.md`, skillText("pdf", "Do me."));
    const report = await run("skill", "s", "pdf");
    const { out, err } = formatText(report);
    assert.deepEqual([report.ok, report.error?.code, out], [false, "skill-digest", ""]);
    assert.match(err, /do not use the skill/);
  });

  it("says that a server has none", async () => {
    server.capabilities = { tools: {}, resources: {} };
    assert.equal((await run("skills", "s")).error?.code, "not-announced");
    assert.equal((await run("skill", "s", "pdf")).error?.code, "not-announced");
  });

  it("takes a file and no more", () => {
    const invocation = parseArguments(["skill", "s", "pdf", "a.md", "b.md", "--config", "f"]);
    assert.equal(invocation.kind, "usage");
  });
});
