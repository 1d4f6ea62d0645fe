import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { ToolRunView } from "../../src/shared/toolRunMessages.ts";
import { doneRun, HOSTILE, richResult, toolRunView } from "./fixtures.ts";
import { openEachTime } from "./openEachTime.ts";
import type { PageHarness } from "./pageHarness.ts";

describe("Tool run page", () => {
  let harness: PageHarness;
  let page: Page;

  const reopen = openEachTime("toolRun", (opened, itsPage) => {
    harness = opened;
    page = itsPage;
  });

  const show = (view: ToolRunView): Promise<void> => harness.post({ type: "view", view });
  const run = (): Promise<void> => page.getByRole("button", { name: "Run", exact: true }).click();

  async function choose(label: string, option: string): Promise<void> {
    await page.getByRole("combobox", { name: label }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  }

  it("offers nothing to press before it knows what to run", async () => {
    const button = page.getByRole("button", { name: "Run", exact: true });
    await button.waitFor();
    assert.equal(await button.isDisabled(), true);
    assert.equal(await page.getByRole("button", { name: "Cancel" }).count(), 0);
    await show(toolRunView());
    await page.getByRole("textbox", { name: "Database name" }).waitFor();
    assert.equal(await button.isDisabled(), false);
  });

  it("posts what was filled in", async () => {
    await show(toolRunView());
    await page.getByRole("textbox", { name: "Database name" }).fill("orders");
    await choose("Engine", "MySQL 9");
    await page.getByRole("textbox", { name: "Replicas" }).fill("5");
    await choose("encrypted", "false");
    await page.getByRole("checkbox", { name: "Set Note to null" }).click();
    await page.getByRole("checkbox", { name: "Include Tags" }).click();
    await page.getByRole("button", { name: "Add item to Tags" }).click();
    await page.keyboard.type("one");
    await page.getByRole("button", { name: "Add item to Tags" }).click();
    await page.keyboard.type("two");
    await page.getByRole("button", { name: "Move item 2 up" }).click();
    await page.getByRole("checkbox", { name: "Include Network" }).click();
    await page.getByRole("textbox", { name: "cidr" }).fill("10.0.0.0/8");
    await page.getByRole("checkbox", { name: "Include Backup" }).click();
    await choose("Kind of Backup", "Schedule");
    await page.getByRole("textbox", { name: "hour" }).fill("4");
    await page.getByRole("checkbox", { name: "Include Labels" }).click();
    await page.getByRole("button", { name: "Add property to Labels" }).click();
    await page.getByRole("textbox", { name: "Name of the property" }).fill("team");
    await page.keyboard.press("Tab");
    await page.getByRole("textbox", { name: "team" }).fill("shop");
    await run();
    assert.deepEqual(await harness.posted(), [
      {
        type: "run",
        checked: true,
        arguments: {
          name: "orders",
          engine: "my",
          replicas: 5,
          encrypted: false,
          note: null,
          tags: ["two", "one"],
          network: { cidr: "10.0.0.0/8" },
          backup: { kind: "schedule", hour: 4 },
          labels: { team: "shop" },
        },
      },
    ]);
  });

  it("runs by keyboard alone", async () => {
    await show(toolRunView({}, { type: "object", properties: { q: { type: "string" } }, required: ["q"] }));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("hello");
    await page.keyboard.press("Control+Enter");
    assert.deepEqual(await harness.posted(), [{ type: "run", checked: true, arguments: { q: "hello" } }]);
  });

  it("shows problems at their fields, focuses the first, and runs anyway on demand", async () => {
    await show(toolRunView());
    await page.getByRole("textbox", { name: "Replicas" }).fill("12");
    await run();
    assert.deepEqual(await harness.posted(), []);
    const name = page.getByRole("textbox", { name: "Database name" });
    assert.equal(await name.evaluate((element) => element.matches(":focus")), true);
    assert.equal(await name.getAttribute("aria-invalid"), "true");
    assert.match((await name.getAttribute("aria-description")) ?? "", /This is required/);
    await page.getByText("This must be at most 9.").waitFor();
    await name.fill("orders");
    assert.equal(await name.getAttribute("aria-invalid"), "false");
    await page.getByRole("button", { name: "Run Anyway" }).click();
    assert.deepEqual(await harness.posted(), [
      { type: "run", checked: false, arguments: { name: "orders", replicas: 12 } },
    ]);
  });

  it("shows the host's problems at nested fields", async () => {
    await show(
      toolRunView({ initialArguments: { name: "a", engine: "pg", replicas: 1, network: { cidr: "x" } } }),
    );
    await run();
    await harness.post({
      type: "argumentProblems",
      problems: [
        { path: "/network/cidr", message: "must be a network" },
        { path: "/gone/deep", message: "must exist" },
      ],
    });
    await page.getByText("must be a network").waitFor();
    await page.getByText("/gone/deep: must exist").waitFor();
    await page.getByRole("button", { name: "Run Anyway" }).click();
    assert.equal(((await harness.posted()).at(-1) as { checked: boolean }).checked, false);
  });

  it("does not run what is no value yet", async () => {
    await show(toolRunView({ initialArguments: { name: "a", engine: "pg", replicas: 1 } }));
    await page.getByRole("textbox", { name: "Replicas" }).fill("many");
    await run();
    assert.deepEqual(await harness.posted(), []);
    assert.equal(await page.getByRole("button", { name: "Run Anyway" }).isVisible(), false);
    await page.getByText("Enter a number, such as 12 or -0.5.").waitFor();
  });

  it("switches between form and JSON without loss", async () => {
    await show(
      toolRunView({
        initialArguments: { name: "orders", engine: "pg", replicas: 1, extra: [1, { a: null }] },
      }),
    );
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    const area = page.getByRole("textbox", { name: "Arguments as JSON" });
    assert.deepEqual(JSON.parse(await area.inputValue()), {
      name: "orders",
      engine: "pg",
      replicas: 1,
      extra: [1, { a: null }],
    });
    await area.fill('{\n  "name": oops\n}');
    await page.getByRole("button", { name: "Form", exact: true }).click();
    await page.getByText("The form cannot show this yet: Not valid JSON: line 2, column 11.").waitFor();
    assert.equal(await area.inputValue(), '{\n  "name": oops\n}');
    await area.fill('{"name": 5, "engine": "pg", "replicas": 12345678901234567890}');
    await page.getByRole("button", { name: "Form", exact: true }).click();
    assert.equal(await page.getByRole("textbox", { name: "Database name" }).inputValue(), "5");
    await page.getByText("The value does not fit the field, so it is shown as JSON.").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Replicas" }).inputValue(), "12345678901234567890");
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    assert.match(await area.inputValue(), /"replicas": 12345678901234567890/);
  });

  it("keeps what was typed when it is hidden and shown again", async () => {
    await show(toolRunView());
    await page.getByRole("textbox", { name: "Database name" }).fill("kept");
    await page.getByRole("textbox", { name: "Replicas" }).fill("x1");
    await harness.load();
    await show(toolRunView());
    assert.equal(await page.getByRole("textbox", { name: "Database name" }).inputValue(), "kept");
    assert.equal(await page.getByRole("textbox", { name: "Replicas" }).inputValue(), "x1");
  });

  it("keeps line breaks of pasted text", async () => {
    await show(toolRunView({}, { type: "object", properties: { text: { type: "string" } } }));
    await page.getByRole("textbox", { name: "text" }).evaluate((element) => {
      const data = new DataTransfer();
      data.setData("text", "one\ntwo");
      element.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, composed: true, cancelable: true }),
      );
    });
    await run();
    assert.deepEqual(await harness.posted(), [
      { type: "run", checked: true, arguments: { text: "one\ntwo" } },
    ]);
  });

  it("shows a list of different options as boxes", async () => {
    const items = { enum: ["read", "write", "admin"] };
    const list = { type: "array", items, uniqueItems: true, minItems: 1 };
    await show(
      toolRunView(
        { initialArguments: { old: ["write"] } },
        { type: "object", properties: { scopes: list, old: list }, required: ["scopes", "old"] },
      ),
    );
    const scopes = page.getByRole("group", { name: "scopes" });
    await run();
    await scopes.getByText("At least 1 items are needed; there are 0.").waitFor();
    await scopes.getByRole("checkbox", { name: "write" }).click();
    await scopes.getByRole("checkbox", { name: "read" }).click();
    await page.getByRole("group", { name: "old" }).getByRole("checkbox", { name: "admin" }).click();
    await run();
    assert.deepEqual(await harness.posted(), [
      { type: "run", checked: true, arguments: { old: ["write", "admin"], scopes: ["write", "read"] } },
    ]);
  });

  it("tells an absent text from an empty one", async () => {
    await show(
      toolRunView({}, { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } }),
    );
    await page.getByRole("textbox", { name: "a" }).fill("x");
    await page.getByRole("textbox", { name: "a" }).fill("");
    await page.getByRole("checkbox", { name: "Include b" }).click();
    await run();
    assert.deepEqual(await harness.posted(), [{ type: "run", checked: true, arguments: { b: "" } }]);
  });

  it("shows a running call, and moves the focus to the result of who waits for it", async () => {
    await show(toolRunView({}, { type: "object" }));
    await run();
    const startedAtMs = Date.now() - 65_000;
    await show(
      toolRunView(
        {
          run: {
            kind: "running",
            startedAtMs,
            waitingFor: "input",
            progress: { progress: 2, total: 8, message: "Copying" },
          },
        },
        { type: "object" },
      ),
    );
    assert.equal(
      await page
        .getByRole("button", { name: "Cancel" })
        .evaluate((element) => element.matches(":focus, :focus-within")),
      true,
    );
    assert.equal(await page.getByRole("progressbar").getAttribute("value"), "2");
    await page.getByText("2 of 8").waitFor();
    await page.getByText(/^1 min/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await show(toolRunView({ run: doneRun() }, { type: "object" }));
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H2");
    assert.equal(await page.getByRole("status").textContent(), "Done in 3.2 s.");
    assert.deepEqual((await harness.posted()).at(-1), { type: "cancel" });
  });

  it("says in which panel a call waits for a person, and shows it on demand", async () => {
    const running = { kind: "running", startedAtMs: Date.now() } as const;
    const words = { input: /^It waits for you: the server asks/, model: /language model’s answer/ };
    const names = { input: "Show Input Request", model: "Show Model Request" };
    for (const waitingFor of ["input", "model"] as const) {
      await show(toolRunView({ run: { ...running, waitingFor } }));
      await page.getByRole("region", { name: "Run" }).getByText(words[waitingFor]).waitFor();
      assert.match((await page.getByRole("status").textContent()) ?? "", words[waitingFor]);
      const button = page.getByRole("button", { name: names[waitingFor] });
      await button.click();
      assert.deepEqual((await harness.posted()).at(-1), { type: "showWaiting", panel: waitingFor });
      await show(toolRunView({ run: { ...running, waitingFor, progress: { progress: 1 } } }));
      assert.equal(await button.evaluate((element) => element.matches(":focus, :focus-within")), true);
    }
    await show(toolRunView({ run: running }));
    const bar = page.getByRole("region", { name: "Run" });
    await bar.getByText("Running…").waitFor();
    assert.equal(await bar.getByText(/It waits for you/).count(), 0);
  });

  it("offers to allow what a failed run was missing, and nothing under one that worked", async () => {
    const problem = { message: "It wants to ask a language model, which is not allowed to it." };
    const failed = { kind: "failed", problem, durationMs: 5 } as const;
    await show(toolRunView({ run: failed, wanted: ["sampling", "roots"] }));
    await page.getByRole("button", { name: "Allow a Language Model…" }).click();
    await page.getByRole("button", { name: "Choose Folders…" }).click();
    assert.deepEqual(await harness.posted(), [
      { type: "allow", feature: "sampling" },
      { type: "allow", feature: "roots" },
    ]);
    await show(toolRunView({ run: doneRun({ isError: true }), wanted: ["sampling"] }));
    await page.getByRole("button", { name: "Allow a Language Model…" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Choose Folders…" }).count(), 0);
    await show(toolRunView({ run: doneRun(), wanted: ["sampling"] }));
    assert.equal(await page.getByRole("button", { name: "Allow a Language Model…" }).count(), 0);
  });

  it("says that a call is a task, and what the server says of it", async () => {
    const running = { kind: "running", startedAtMs: Date.now() } as const;
    await show(toolRunView({ run: { ...running, task: { message: `half of it ${HOSTILE}` } } }));
    await page
      .getByRole("region", { name: "Run" })
      .getByText(/^half of it/)
      .waitFor();
    await page.getByText(/It goes on when this panel is closed/).waitFor();
    assert.match((await page.getByRole("status").textContent()) ?? "", /half of it/);
    await show(toolRunView({ run: running }));
    assert.equal(await page.getByText(/It goes on when this panel is closed/).count(), 0);
  });

  it("leaves the focus of somebody who is already typing again", async () => {
    await show(toolRunView());
    await run();
    await show(toolRunView({ run: { kind: "running", startedAtMs: Date.now() } }));
    await page.getByRole("textbox", { name: "Database name" }).fill("next");
    await show(toolRunView({ run: doneRun() }));
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "VSCODE-TEXT-FIELD");
    assert.equal(await page.getByRole("textbox", { name: "Database name" }).inputValue(), "next");
  });

  it("draws every kind of content, and asks the host before anything opens", async () => {
    await show(toolRunView({ run: doneRun(richResult) }, { type: "object" }));
    await page.getByText("Matches the tool’s output schema.").waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>(".block-image")?.naturalWidth === 1,
    );
    await page.getByText("An image that says it is image/svg+xml but is image/png").waitFor();
    assert.equal(await page.locator("a[href], svg image, iframe").count(), 0);
    await page.getByText("demo://db-1/log").waitFor();
    assert.equal(await page.getByRole("button", { name: "Open demo://db-1/log" }).count(), 0);
    await page.getByRole("button", { name: "Open https://example.com/console/db-1" }).click();
    await page.getByRole("button", { name: "Read the resource demo://db-1/log" }).click();
    await page.getByRole("button", { name: "Show as tree" }).click();
    await page.getByRole("treeitem", { name: "nodes: list of 2" }).last().click();
    await page.getByRole("button", { name: "Open in Editor" }).first().click();
    const posted = await harness.posted();
    assert.deepEqual(posted[0], { type: "openLink", uri: "https://example.com/console/db-1" });
    assert.deepEqual(posted[1], { type: "readResource", uri: "demo://db-1/log" });
    assert.equal((posted[2] as { language: string }).language, "json");
    await page.getByRole("tab", { name: "Raw" }).click();
    await page.getByRole("treeitem", { name: "resultType: complete" }).waitFor({ state: "visible" });
  });

  it("moves through a tree by keyboard and copies a value", async () => {
    await show(toolRunView({ run: doneRun(richResult) }, { type: "object" }));
    await page.getByRole("treeitem").first().focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"])
      await page.keyboard.press(key);
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
      "0: object with 2 entries",
    );
    await page.keyboard.press("ArrowLeft");
    assert.match(
      (await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))) ?? "",
      /^nodes/,
    );
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Control+c");
    assert.deepEqual(await harness.posted(), [{ type: "copy", text: "db-1" }]);
  });

  it("makes the children of a huge list on demand", async () => {
    const value = Array.from({ length: 50_000 }, (_, at) => at);
    await show(
      toolRunView(
        { run: doneRun({ structured: { value, check: { kind: "unchecked", reason: "no schema" } } }) },
        { type: "object" },
      ),
    );
    await page.getByRole("treeitem", { name: "list of 50,000" }).click();
    assert.ok((await page.getByRole("treeitem").count()) < 150);
    await page.getByRole("treeitem", { name: "Show 100 more" }).click();
    assert.equal(await page.getByRole("treeitem", { name: "150: 150" }).count(), 1);
  });

  it("tells a tool's own error from a failed call", async () => {
    await show(toolRunView({ run: doneRun({ isError: true }) }, { type: "object" }));
    await page.getByRole("heading", { name: /The tool reports an error/ }).waitFor();
    await show(
      toolRunView(
        {
          run: {
            kind: "failed",
            durationMs: 5,
            problem: { message: "Gone.", remedy: "Restart it.", detail: "trace", rpcCode: -32603 },
          },
        },
        { type: "object" },
      ),
    );
    await page.getByRole("heading", { name: /The call failed.*code -32603/ }).waitFor();
    assert.equal(await page.getByText("trace").isVisible(), false);
    await page.getByText("Details").click();
    // The browser tells that details were opened a moment later.
    await page.getByText("trace").waitFor({ state: "visible" });
    await show(toolRunView({ run: { kind: "cancelled", durationMs: 5 } }, { type: "object" }));
    await page.getByRole("heading", { name: /Cancelled/ }).waitFor();
  });

  it("offers to connect when there is no connection", async () => {
    await show(toolRunView({ canRun: false, notice: "The server is not connected." }));
    await page.getByRole("button", { name: "Connect" }).click();
    await page.keyboard.press("Control+Enter");
    assert.deepEqual(await harness.posted(), [{ type: "connect" }]);
  });

  it("shows hostile texts as texts", async () => {
    const schema = {
      type: "object",
      title: HOSTILE,
      properties: {
        [HOSTILE]: {
          type: "string",
          title: HOSTILE,
          description: HOSTILE,
          default: HOSTILE,
          enum: [HOSTILE, "b"],
        },
      },
      required: [HOSTILE],
    };
    const view = toolRunView(
      {
        notice: HOSTILE,
        run: doneRun({
          blocks: [
            { type: "text", text: HOSTILE },
            { type: "link", uri: "javascript:alert(1)", name: HOSTILE },
            { type: "unknown", name: HOSTILE, raw: { [HOSTILE]: HOSTILE } },
            { type: "image", data: "PHN2Zz4=", mimeType: HOSTILE },
          ],
          structured: { value: { [HOSTILE]: HOSTILE }, check: { kind: "invalid", problems: [HOSTILE] } },
        }),
      },
      schema,
    );
    await show({
      ...view,
      tool: { ...view.tool, displayName: HOSTILE, description: HOSTILE, claims: [HOSTILE] },
    });
    assert.equal(await page.locator("#root img, #root script, #root b, #root a").count(), 0);
    assert.ok((await page.getByText(HOSTILE).count()) > 8);
  });

  it("says why arguments will not be checked", async () => {
    const view = toolRunView({});
    await show({ ...view, tool: { ...view.tool, uncheckedReason: "The schema is broken." } });
    const check = page.locator("dt", { hasText: "Arguments" }).locator("xpath=following-sibling::dd[1]");
    assert.equal(await check.innerText(), "Not checked before a run. The schema is broken.");
  });

  it("survives schemas that are hostile", async () => {
    const wide = {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 3_000 }, (_, at) => [`p${String(at)}`, { type: "string" }]),
      ),
    };
    await show(toolRunView({}, wide));
    assert.equal(
      await page
        .getByRole("button", { name: "Show 2,940 more" })
        .or(page.getByRole("button", { name: "Show 2940 more" }))
        .count(),
      1,
    );
    await show(toolRunView({}, { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }] } } }));
    await show(
      toolRunView(
        {},
        {
          type: "object",
          properties: { self: { $ref: "#" }, "": { type: "string" }, __proto__x: { type: "string" } },
          required: ["self"],
        },
      ),
    );
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  });

  it("speaks the user's language", async () => {
    await reopen({
      language: "zh-cn",
      l10n: { Run: "运行", Arguments: "参数", "Include {name}": "包含 {name}" },
    });
    await show(toolRunView());
    await page.getByRole("button", { name: "运行", exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "包含 Tags" }).waitFor();
  });

  it("fits into a narrow panel", async () => {
    await page.setViewportSize({ width: 300, height: 700 });
    await show(
      toolRunView({
        initialArguments: { tags: ["a"], network: { cidr: "x" }, labels: { a: "b" } },
        run: doneRun(richResult),
      }),
    );
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  });
});
