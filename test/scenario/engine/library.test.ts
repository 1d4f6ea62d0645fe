import assert from "node:assert/strict";
import type { InputResponse } from "../../../src/protocol/mrtr/inputRequired.ts";
import type { ServerLists } from "../../../src/client/serverState.ts";
import type { ScriptedExchange, ScriptedHttp } from "../../support/scriptedHttp.ts";
import { type Library, startLibrary } from "../../support/libraryServer.ts";
import { TestPool } from "../../support/testPool.ts";

const CALL = { origin: "panel" } as const;
const accept = (): InputResponse => ({ action: "accept", content: { name: "Ada" } });

/** A connected pool with all lists read. */
async function connectTo(library: Library, more = {}): Promise<TestPool> {
  const test = new TestPool({ s: { ...library.entry, ...more } }, accept);
  await test.connect();
  await test.pool.refresh("s");
  return test;
}

function listsOf(test: TestPool): ServerLists {
  const state = test.state();
  if (state.kind !== "connected") throw new Error(`It is ${state.kind}`);
  return state.lists;
}

async function countOf(test: TestPool, method: string): Promise<number> {
  const { result } = await test.pool.readResource("s", `calls:${method}`, CALL);
  return Number(result.contents[0]?.text);
}

for (const era of ["modern", "legacy"] as const) {
  for (const transport of ["stdio", "http"] as const) {
    describe(`resources, prompts and completion, ${era} over ${transport}`, () => {
      let library: Library;
      beforeEach(async () => {
        library = await startLibrary(era, transport);
      });
      afterEach(() => library.close());

      // Duty: 7.1.1, 8.1.1, 8.2.2, 8.4.1
      it("lists everything in the server's order, over pages", async () => {
        await using test = await connectTo(library);
        const { resources, prompts, templates } = listsOf(test);
        assert.ok(resources.kind === "listed" && prompts.kind === "listed" && templates.kind === "listed");
        assert.deepEqual(
          resources.items.map(({ uri, size }) => [uri, size]),
          [
            ["kept:1", 4],
            ["own:2", undefined],
          ],
        );
        assert.deepEqual(
          prompts.items.map(({ name, arguments: args }) => [name, args.map(({ required }) => required)]),
          [
            ["review", [true, false]],
            ["ask", []],
          ],
        );
        assert.deepEqual(
          templates.items.map(({ uriTemplate }) => uriTemplate),
          ["book://{shelf}/{title}"],
        );
      });

      // Duty: 8.1.1, 8.1.3
      it("reads all contents, says what is odd, and takes none for none", async () => {
        await using test = await connectTo(library);
        const { contents } = (await test.pool.readResource("s", "folder:", CALL)).result;
        assert.deepEqual(
          contents.map(({ uri, text, blob, problem }) => [uri, text ?? blob, problem !== undefined]),
          [
            ["folder:a", "A", false],
            ["folder:b", "AAEC", false],
            ["folder:c", undefined, true],
            ["folder:", undefined, true],
          ],
        );
        assert.deepEqual((await test.pool.readResource("s", "empty:", CALL)).result.contents, []);
      });

      // Duty: 8.1.2, 15.4, 15.9
      it("names a resource that is not there, in the server's words, and other errors as they are", async () => {
        await using test = await connectTo(library);
        await assert.rejects(test.pool.readResource("s", "missing:x", CALL), {
          code: "no-such-resource",
          message: "“s” does not have the resource missing:x. It says: No book missing:x",
        });
        await assert.rejects(test.pool.readResource("s", "broken:", CALL), { rpcCode: -32603 });
      });

      // Duty: 8.1.5
      it("asks the server for a file, and touches none of this machine", async () => {
        await using test = await connectTo(library);
        const { result } = await test.pool.readResource("s", "file:///etc/hostname", CALL);
        assert.equal(result.contents[0]?.text, "what the server has");
      });

      // Duty: 8.2.1, 8.2.3, 8.2.4
      it("gets a prompt once its required arguments are there", async () => {
        await using test = await connectTo(library);
        await assert.rejects(test.pool.getPrompt("s", "review", { style: "dry" }, CALL), {
          code: "missing-argument",
        });
        assert.equal(await countOf(test, "prompts/get"), 0);
        const { result } = await test.pool.getPrompt("s", "review", { code: "x = 1" }, CALL);
        const content = result.messages[0]?.content;
        assert.deepEqual(content?.type === "text" && JSON.parse(content.text), { code: "x = 1" });
        await assert.rejects(test.pool.getPrompt("s", "gone", {}, CALL), {
          code: "prompt-refused",
          message: /Unknown prompt gone/,
        });
      });

      // Duty: 5.1.5, 8.1.6, 8.2.3, 9.1
      it("answers what is asked while a resource is read and a prompt is made", async () => {
        await using test = await connectTo(library);
        const resource = await test.pool.readResource("s", "ask:me", CALL);
        assert.equal(resource.result.contents[0]?.text, "for Ada");
        assert.equal(resource.rounds, 1);
        const prompt = await test.pool.getPrompt("s", "ask", {}, CALL);
        const content = prompt.result.messages[0]?.content;
        assert.equal(content?.type === "text" && content.text, "for Ada");
        assert.deepEqual(
          test.rounds.map(({ method, target }) => [method, target]),
          [
            ["resources/read", "ask:me"],
            ["prompts/get", "ask"],
          ],
        );
      });

      // Duty: 8.3.1, 8.3.2
      it("completes arguments of prompts and templates with what is known already", async () => {
        await using test = await connectTo(library);
        const forPrompt = await test.pool.complete(
          "s",
          { kind: "prompt", name: "review" },
          { name: "style", value: "d" },
          { code: "x" },
        );
        assert.deepEqual(forPrompt.values, ['review style=d {"code":"x"}']);
        const forTemplate = await test.pool.complete(
          "s",
          { kind: "resource", uri: "book://{shelf}/{title}" },
          { name: "title", value: "" },
          {},
        );
        assert.deepEqual(forTemplate.values, ["book://{shelf}/{title} title= null"]);
      });

      it("asks a server that does not know completion once, and proposes nothing", async () => {
        await using test = await connectTo(library);
        for (const value of ["a", "ab"]) {
          const target = { kind: "prompt", name: "unknown-method" } as const;
          const completion = await test.pool.complete("s", target, { name: "x", value }, {});
          assert.deepEqual(completion, { values: [], hasMore: false });
        }
        assert.equal(await countOf(test, "completion/complete"), 1);
      });
    });
  }
}

describe("a capability that is announced or not", () => {
  let library: Library;
  beforeEach(async () => {
    library = await startLibrary("modern", "http");
  });
  afterEach(() => library.close());

  /** Lets a test answer some of the requests itself. */
  function override(answer: (exchange: ScriptedExchange) => boolean): ScriptedHttp {
    const { http } = library;
    if (http === undefined) throw new Error("It has no HTTP");
    const { handler } = http;
    http.handler = (exchange) => (answer(exchange) ? undefined : handler(exchange));
    return http;
  }

  // Duty: 6.9, 8.2.2, 15.3
  it("means none where its list is not known, and leaves the rest alone", async () => {
    override((exchange) => {
      const missing = ["resources/list", "resources/templates/list", "prompts/list"];
      if (!missing.includes(exchange.message.method as string)) return false;
      exchange.error(200, -32601, "Method not found");
      return true;
    });
    await using test = await connectTo(library);
    const { resources, prompts, templates } = listsOf(test);
    assert.deepEqual([resources.kind, prompts.kind, templates.kind], ["absent", "absent", "absent"]);
    assert.deepEqual(test.tools(), ["t"]);
    assert.match(test.log.lines.join("\n"), /prompts\/list failed/);
  });

  // Duty: 2.4.7, 6.5, 6.8
  it("is not asked for where it is not announced", async () => {
    const http = override((exchange) => {
      if (exchange.message.method !== "server/discover") return false;
      const facts = { supportedVersions: ["2026-07-28"], capabilities: { resources: {} } };
      exchange.result({ resultType: "complete", ...facts });
      return true;
    });
    await using test = await connectTo(library);
    await assert.rejects(test.pool.getPrompt("s", "review", { code: "x" }, CALL), { code: "not-announced" });
    const target = { kind: "prompt", name: "review" } as const;
    assert.deepEqual((await test.pool.complete("s", target, { name: "x", value: "" }, {})).values, []);
    const sent = http.messages.map(({ method }) => method);
    for (const method of ["tools/list", "prompts/list", "prompts/get", "completion/complete"])
      assert.ok(!sent.includes(method), method);
  });
});
