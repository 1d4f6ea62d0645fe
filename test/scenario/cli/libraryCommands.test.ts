import assert from "node:assert/strict";
import { formatText } from "../../../src/cli/formatReport.ts";
import { parseArguments } from "../../../src/cli/parseArguments.ts";
import type { Report } from "../../../src/cli/report.ts";
import { runCommand } from "../../../src/cli/runCommand.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import type { PlaceholderPorts } from "../../../src/client/resolveConfig.ts";
import { type Library, startLibrary } from "../../support/libraryServer.ts";

const NONE = {
  userHome: () => "",
  startFolder: () => process.cwd(),
  hint: () => undefined,
} as unknown as PlaceholderPorts;

for (const era of ["modern", "legacy"] as const) {
  describe(`the command line for resources and prompts, ${era}`, () => {
    let library: Library;
    beforeEach(async () => {
      library = await startLibrary(era, "http");
    });
    afterEach(() => library.close());

    async function run(...argv: readonly string[]): Promise<Report> {
      const invocation = parseArguments([...argv, "--config", "f"]);
      if (invocation.kind !== "run") throw new Error("It is no command");
      const [config] = parseServers({ s: library.entry }, "file").servers;
      if (config === undefined) throw new Error("There is no server");
      const args = typeof invocation.args === "object" ? invocation.args : {};
      return runCommand(invocation, config, args, {
        placeholders: NONE,
        clientInfo: { name: "test", version: "1" },
        log: undefined,
        signal: new AbortController().signal,
      });
    }

    it("lists resources with their templates, and prompts with their arguments", async () => {
      const resources = await run("resources", "s");
      assert.equal(formatText(resources).out, "kept:1  one\nown:2  two\nbook://{shelf}/{title}  book\n");
      assert.equal(resources.templates?.length, 1);
      assert.equal(formatText(await run("prompts", "s")).out, "review  (code, style?)\nask\n");
    });

    it("reads a resource, all of its parts, with what is wrong about them", async () => {
      const report = await run("read", "s", "folder:");
      assert.equal(report.ok, true);
      assert.equal(report.resource?.contents.length, 4);
      const { out, err } = formatText(report);
      assert.match(out, /^folder:a\nA\n\[folder:b, image\/png, 3 bytes\]\n/);
      assert.match(err, /folder:c: The bytes of this part are not base64/);
      assert.equal(formatText(await run("read", "s", "empty:")).out, "(no content)\n");
    });

    it("fills in a template and reads what it names", async () => {
      const report = await run("read", "s", "file:///{name}", '{"name":"a b"}');
      assert.equal(report.resource?.contents[0]?.["uri"], "file:///a%20b");
      const broken = await run("read", "s", "file:///{name", '{"name":"a b"}');
      assert.equal(broken.error?.code, "broken-template");
    });

    it("says that a resource is not there", async () => {
      const report = await run("read", "s", "missing:x");
      assert.deepEqual([report.ok, report.error?.code], [false, "no-such-resource"]);
    });

    it("gets a prompt, and names the arguments that are missing", async () => {
      const report = await run("prompt", "s", "review", '{"code":"x"}');
      assert.equal(formatText(report).out, 'user: {"code":"x"}\n');
      assert.equal((await run("prompt", "s", "review")).error?.code, "missing-argument");
    });

    it("completes an argument with what is known", async () => {
      const report = await run("complete", "s", "prompt", "review", "style", "d", '{"code":"x"}');
      assert.equal(formatText(report).out, 'review style=d {"code":"x"}\n');
      const template = await run("complete", "s", "template", "book://{shelf}/{title}", "shelf");
      assert.deepEqual(template.completion?.["values"], ["book://{shelf}/{title} shelf= null"]);
    });
  });
}
