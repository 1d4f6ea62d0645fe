import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { InputView } from "../../src/shared/inputMessages.ts";
import { form, HOSTILE, inputView, regionForm, urlRequest } from "./fixtures.ts";
import { openEachTime } from "./openEachTime.ts";
import type { PageHarness } from "./pageHarness.ts";

describe("Input request page", () => {
  let harness: PageHarness;
  let page: Page;

  openEachTime("input", (opened, itsPage) => {
    harness = opened;
    page = itsPage;
  });

  const show = (view: InputView): Promise<void> => harness.post({ type: "view", view });
  const press = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();

  // Duty: 10.1.4, 10.1.5
  it("says who asks and why", async () => {
    await show(inputView({ round: 3 }, 3));
    await page.getByRole("heading", { name: "cloud-demo asks for your input" }).waitFor();
    await page.getByText("The tool create_database was run from the Tool Run panel").first().waitFor();
    await page.getByText("3 of at most 10").waitFor();
    await page.getByText("2 more requests are waiting.").waitFor();
    await page.getByRole("figure").getByText("Which region should the cluster run in?").waitFor();
  });

  // Duty: 10.1.4, 10.2.4
  it("posts the content of a form with its defaults", async () => {
    await show(inputView());
    await page.getByRole("radio", { name: "Virginia" }).click();
    await page.getByRole("textbox", { name: "Contact" }).fill("me@example.com");
    await page.getByRole("checkbox", { name: "I accept the terms" }).click();
    await page.getByLabel("Start").fill("2026-12-01T09:30:00");
    await page.getByRole("checkbox", { name: "Backups" }).click();
    await page.getByRole("checkbox", { name: "Support" }).click();
    await page.getByRole("combobox", { name: "Size" }).click();
    await page.getByRole("option", { name: "XL", exact: true }).click();
    await press("Submit");
    assert.deepEqual(await harness.posted(), [
      {
        type: "answer",
        roundId: "round-1",
        answers: [
          {
            key: "region",
            action: "accept",
            content: {
              region: "us-east",
              contact: "me@example.com",
              nodes: 3,
              terms: true,
              start: "2026-12-01T09:30:00+01:00",
              day: "2026-12-24",
              extras: ["backup", "support"],
              size: "XL",
            },
          },
        ],
      },
    ]);
    await page.getByRole("button", { name: "Submit", disabled: true }).waitFor();
  });

  it("leaves out optional fields and says no to a box that is not ticked", async () => {
    await show(inputView());
    await page.getByRole("radio", { name: "Frankfurt" }).click();
    await page.getByRole("textbox", { name: "Contact" }).fill("me@example.com");
    await page.getByRole("textbox", { name: "Nodes" }).fill("");
    await page.getByLabel("Maintenance day").fill("");
    await press("Submit");
    const [message] = (await harness.posted()) as { answers: { content: unknown }[] }[];
    assert.deepEqual(message?.answers[0]?.content, {
      region: "eu-central",
      contact: "me@example.com",
      terms: false,
    });
  });

  it("answers by keyboard alone", async () => {
    const asked = form(
      { kind: "text", name: "a", title: "First", required: true },
      {
        kind: "choice",
        name: "b",
        title: "Second",
        required: true,
        options: [
          { value: "x", title: "X" },
          { value: "y", title: "Y" },
        ],
      },
      { kind: "boolean", name: "c", title: "Third", required: true },
    );
    await show(
      inputView({ requests: [{ kind: "form", key: "k", message: "?", form: asked, warnings: [] }] }),
    );
    await page.keyboard.press("Tab");
    await page.keyboard.type("text");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Control+Enter");
    assert.deepEqual(await harness.posted(), [
      {
        type: "answer",
        roundId: "round-1",
        answers: [{ key: "k", action: "accept", content: { a: "text", b: "y", c: true } }],
      },
    ]);
  });

  // Duty: 10.2.5
  it("checks before sending, at the fields, and focuses the first problem", async () => {
    await show(inputView());
    await page.getByRole("radio", { name: "Mumbai" }).click();
    await page.getByRole("textbox", { name: "Contact" }).fill("nobody");
    await page.getByRole("textbox", { name: "Nodes" }).fill("12");
    await press("Submit");
    assert.deepEqual(await harness.posted(), []);
    const contact = page.getByRole("textbox", { name: "Contact" });
    assert.equal(await contact.evaluate((element) => element.matches(":focus")), true);
    assert.equal(await contact.getAttribute("aria-invalid"), "true");
    assert.match((await contact.getAttribute("aria-description")) ?? "", /email address/);
    await page.getByText("This must be at most 9.").waitFor();
    await contact.fill("me@example.com");
    assert.equal(await contact.getAttribute("aria-invalid"), "false");
  });

  it("focuses a missing choice", async () => {
    await show(inputView());
    await press("Submit");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "VSCODE-RADIO");
  });

  it("does not send half a date", async () => {
    await show(
      inputView({
        requests: [
          {
            kind: "form",
            key: "k",
            message: "?",
            form: form({ kind: "text", name: "day", title: "Day", required: false, format: "date" }),
            warnings: [],
          },
        ],
      }),
    );
    await page.getByLabel("Day").focus();
    await page.keyboard.type("12");
    await press("Submit");
    assert.deepEqual(await harness.posted(), []);
    await page.getByText("Enter a date as year-month-day").waitFor();
  });

  // Duty: 10.1.4, 10.1.5
  it("keeps declining and cancelling apart", async () => {
    await show(inputView());
    await press("Decline");
    await show(inputView({ roundId: "round-2" }));
    await press("Cancel");
    assert.deepEqual(await harness.posted(), [
      { type: "decline", roundId: "round-1" },
      { type: "cancel", roundId: "round-2" },
    ]);
    await show(inputView({ roundId: "round-3" }));
    await page.keyboard.press("Escape");
    assert.equal((await harness.posted()).length, 2);
  });

  it("shows the host's problems and lets the person try again", async () => {
    await show(inputView());
    await page.getByRole("radio", { name: "Mumbai" }).click();
    await page.getByRole("textbox", { name: "Contact" }).fill("me@example.com");
    await press("Submit");
    await harness.post({
      type: "problems",
      roundId: "other",
      problems: [{ key: "region", field: "contact", message: "Not this one." }],
    });
    assert.equal(await page.getByText("Not this one.").count(), 0);
    await harness.post({
      type: "problems",
      roundId: "round-1",
      problems: [{ key: "region", field: "contact", message: "Unknown domain." }],
    });
    await page.getByText("Unknown domain.").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Contact" }).inputValue(), "me@example.com");
    await press("Submit");
    assert.equal((await harness.posted()).length, 2);
  });

  // Duty: 10.1.4, 10.2.6, 10.3.3, 10.3.4
  it("shows a whole URL with its host marked, and never as a link", async () => {
    await show(inputView({ requests: [urlRequest] }));
    assert.equal(
      await page.locator(".url").textContent(),
      "https://xn--pple-43d.example/sign?contract=42&return=https%3A%2F%2Fexample.com",
    );
    const weight = await page
      .locator(".url-host")
      .evaluate(
        (element) =>
          `${getComputedStyle(element).fontWeight} ${getComputedStyle(element).textDecorationLine}`,
      );
    assert.equal(weight, "700 underline");
    assert.equal(await page.locator("a").count(), 0);
    await page.getByText("The host is written in Punycode").waitFor();
    await press("Copy Address");
    await press("Open in Browser");
    assert.deepEqual(await harness.posted(), [
      {
        type: "copy",
        text: "https://xn--pple-43d.example/sign?contract=42&return=https%3A%2F%2Fexample.com",
      },
      { type: "answer", roundId: "round-1", answers: [{ key: "sign", action: "open" }] },
    ]);
  });

  it("offers to go on or to give up while something is done in the browser", async () => {
    const question = { kind: "form", key: "go-on", message: "", form: { fields: [], schema: {} } } as const;
    const waiting = { isElsewhere: true, requests: [{ ...question, warnings: [] }] };
    await show(inputView(waiting));
    await page.getByRole("heading", { name: "Finish in the browser" }).waitFor();
    assert.equal(await page.getByRole("figure").count(), 0, "nothing is put into the server's mouth");
    assert.equal(await page.getByRole("button", { name: "Decline" }).count(), 0);
    await press("Give Up");
    await show(inputView({ ...waiting, roundId: "round-2" }));
    await press("Continue");
    assert.deepEqual(await harness.posted(), [
      { type: "cancel", roundId: "round-1" },
      {
        type: "answer",
        roundId: "round-2",
        answers: [{ key: "go-on", action: "accept", content: {} }],
      },
    ]);
  });

  it("offers no way to open what may not be opened", async () => {
    await show(
      inputView({
        requests: [
          { ...urlRequest, canOpen: false, url: { before: "file:///etc/passwd", host: "", after: "" } },
        ],
      }),
    );
    assert.equal(await page.getByRole("button", { name: "Open in Browser" }).count(), 0);
    await page.keyboard.press("Control+Enter");
    assert.deepEqual(await harness.posted(), []);
    await press("Decline");
    assert.deepEqual(await harness.posted(), [{ type: "decline", roundId: "round-1" }]);
  });

  it("answers each of several requests", async () => {
    const one = {
      kind: "form" as const,
      key: "one",
      message: "One?",
      form: form({ kind: "text", name: "a", title: "A", required: true }),
      warnings: [],
    };
    await show(inputView({ requests: [one, { ...one, key: "two", message: "Two?" }, urlRequest] }));
    await page
      .getByRole("region", { name: "Request 2 of 3" })
      .getByRole("checkbox", { name: "Decline this request" })
      .click();
    await press("Submit");
    assert.deepEqual(await harness.posted(), []);
    await page.getByRole("region", { name: "Request 1 of 3" }).getByRole("textbox", { name: "A" }).fill("x");
    await press("Submit");
    assert.deepEqual(await harness.posted(), []);
    await page.getByText("Choose one.").waitFor();
    await page.getByRole("radio", { name: "Open it in the browser when I submit" }).click();
    await press("Submit");
    assert.deepEqual(await harness.posted(), [
      {
        type: "answer",
        roundId: "round-1",
        answers: [
          { key: "one", action: "accept", content: { a: "x" } },
          { key: "two", action: "decline" },
          { key: "sign", action: "open" },
        ],
      },
    ]);
  });

  it("shows earlier rounds as a conversation", async () => {
    await show(
      inputView({
        round: 3,
        history: [
          {
            round: 1,
            message: "Which region?",
            action: "accept",
            values: [{ title: "Region", value: "Frankfurt" }],
          },
          { round: 2, message: "Newsletter?", action: "decline", values: [] },
        ],
      }),
    );
    const history = page.getByRole("region", { name: "Earlier in this call" });
    await history.getByText("Frankfurt").waitFor();
    await history.getByText("You declined.").waitFor();
  });

  it("keeps what was typed for its round only", async () => {
    await show(inputView());
    await page.getByRole("textbox", { name: "Contact" }).fill("half");
    await show(inputView({}, 2));
    assert.equal(await page.getByRole("textbox", { name: "Contact" }).inputValue(), "half");
    await harness.load();
    await show(inputView());
    assert.equal(await page.getByRole("textbox", { name: "Contact" }).inputValue(), "half");
    await show(inputView({ roundId: "round-2" }));
    assert.equal(await page.getByRole("textbox", { name: "Contact" }).inputValue(), "");
    await show({ waiting: 0, current: undefined });
    await page.getByText("Nothing is waiting for an answer.").first().waitFor();
    assert.equal(await page.evaluate(() => sessionStorage.getItem("kept-by-editor")), "null");
  });

  // Duty: 10.2.6
  it("shows hostile texts as texts", async () => {
    const field = { name: "__proto__", title: HOSTILE, description: HOSTILE, required: true };
    const hostile = form(
      { ...field, kind: "text", default: HOSTILE },
      { ...field, name: "c", kind: "choice", options: [{ value: HOSTILE, title: HOSTILE }] },
      { ...field, name: "d", kind: "choices", options: [{ value: HOSTILE, title: HOSTILE }] },
    );
    await show(
      inputView({
        serverId: HOSTILE,
        target: HOSTILE,
        why: HOSTILE,
        requests: [{ kind: "form", key: "__proto__", message: HOSTILE, form: hostile, warnings: [HOSTILE] }],
        history: [
          { round: 1, message: HOSTILE, action: "accept", values: [{ title: HOSTILE, value: HOSTILE }] },
        ],
      }),
    );
    assert.equal(await page.locator("#root img, #root script, #root b, #root a").count(), 0);
    await page.getByRole("radio").first().click();
    await page.getByRole("checkbox").first().click();
    await press("Submit");
    // As text, because what carries values out of the browser drops this name.
    const posted = await page.evaluate(() => JSON.stringify(window.posted));
    assert.ok(posted.includes(`"content":{"__proto__":${JSON.stringify(HOSTILE)}`), posted);
  });

  it("fits into a narrow panel", async () => {
    await page.setViewportSize({ width: 300, height: 700 });
    await show(
      inputView({
        requests: [
          { kind: "form", key: "k", message: "x".repeat(300), form: regionForm, warnings: [] },
          urlRequest,
        ],
      }),
    );
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  });
});
