import assert from "node:assert/strict";
import { signInQuestion } from "../../../../src/host/auth/signInQuestion.ts";
import { english } from "../panels/english.ts";
import { fakePlan, NO_OVERRIDES } from "./signInFixture.ts";

describe("the question before the browser is opened", () => {
  it("says who is asked, for what, as whom, and where it comes back to", () => {
    const { title, detail, warnings, whole } = signInQuestion(fakePlan(), NO_OVERRIDES, english);
    assert.equal(title, "Sign in to “files”?");
    assert.deepEqual(detail.split("\n"), [
      "For: https://mcp.example.com",
      "Authorization server: https://auth.example.com",
      "The browser opens: login.example.com",
      "It comes back to: 127.0.0.1:41737",
      "Scopes: files:read, files:write (from the server's metadata)",
      "Client: client-1 (registered there by this editor)",
    ]);
    assert.deepEqual([warnings, whole], [[], undefined]);
  });

  it("names what is new when more is asked for", () => {
    const requested = { scopes: ["a", "b"], source: "step-up", offline: false } as const;
    const { title, detail } = signInQuestion(fakePlan({ requested, added: ["b"] }), NO_OVERRIDES, english);
    assert.equal(title, "Give “files” more permission?");
    assert.match(detail, /^New scopes: b$/m);
    assert.match(detail, /^All scopes: a, b \(what you have, and what the server asked for now\)$/m);
  });

  it("says that no scope is asked for", () => {
    const requested = { scopes: [], source: "none", offline: false } as const;
    assert.match(
      signInQuestion(fakePlan({ requested }), NO_OVERRIDES, english).detail,
      /^Scopes: none \(nothing names any\)$/m,
    );
  });

  // Attack: 81
  it("warns where the page is in a more private network, and says that it is not opened", () => {
    const { warnings, detail } = signInQuestion(
      fakePlan({ showOnly: "more-private-zone", authorizationHost: "10.0.0.1" }),
      NO_OVERRIDES,
      english,
    );
    assert.equal(warnings.length, 1);
    assert.match(detail, /⚠ 10\.0\.0\.1 is in a more private network than the server\..*not opened/);
  });

  it("warns of another authorization server than before, and of one that is guessed", () => {
    const plan = fakePlan({ changedFrom: "https://old.example.com" });
    const guessed = { ...plan, resource: { ...plan.resource, how: "guessed" } as const };
    const { warnings } = signInQuestion(guessed, NO_OVERRIDES, english);
    assert.match(warnings[0] ?? "", /has changed\. Before, it was https:\/\/old\.example\.com/);
    assert.match(warnings[1] ?? "", /guessed/);
  });

  it("warns where the server is in another network than before", () => {
    const plan = fakePlan({ moved: { from: "public", to: "private" } });
    const { warnings } = signInQuestion(plan, NO_OVERRIDES, english);
    assert.match(
      warnings.join(),
      /another network than before: a private network in place of the internet\./,
    );
  });

  it("says each decision of the user's settings", () => {
    const { warnings } = signInQuestion(
      fakePlan(),
      {
        issuer: "https://auth.example.com",
        resource: "https://mcp.example.com/files",
        tokenEndpoint: "https://tokens.example.com/t",
        assumePkceS256: true,
        fakeIpRanges: ["198.18.0.0/15"],
      },
      english,
    );
    assert.equal(warnings.length, 5);
    for (const [index, words] of [
      "auth.example",
      "mcp.example",
      "tokens.example",
      "PKCE",
      "198.18",
    ].entries())
      assert.ok(warnings[index]?.includes(words), words);
  });

  it("shows every character of what comes from elsewhere, and lets nothing begin a line of its own", () => {
    const plan = fakePlan({
      client: { kind: "dcr", id: "x\nAuthorization server: https://good.example", authMethod: "none" },
      requested: { scopes: ["read\u202egnihtyna"], source: "challenge", offline: false },
    });
    const { detail } = signInQuestion(plan, NO_OVERRIDES, english);
    assert.equal(detail.split("\n").length, 6);
    assert.match(detail, /read\\u\{202e\}gnihtyna/);
    assert.match(detail, /x\\u\{a\}Authorization server/);
  });

  it("has a whole text beside the dialog when there are more scopes than it has room for", () => {
    const scopes = Array.from({ length: 60 }, (_, index) => `scope-${String(index)}`);
    const requested = { scopes, source: "resource", offline: false } as const;
    const { detail, whole } = signInQuestion(fakePlan({ requested }), NO_OVERRIDES, english);
    assert.match(detail, /scope-19 and 40 more/);
    assert.ok(whole?.includes("scope-59"));
  });

  it("keeps what is long from pushing the rest out of the dialog, and has all of it beside", () => {
    const long = "x".repeat(2_000);
    const plan = fakePlan({
      client: { kind: "dcr", id: long, authMethod: "none" },
      requested: { scopes: [long, "last"], source: "challenge", offline: false },
      added: [long],
      changedFrom: `https://old.example.com/${long}`,
      showOnly: "unresolvable",
    });
    const issuer = { ...plan.issuer, issuer: `https://auth.example.com/${long}` };
    const { detail, whole, warnings } = signInQuestion({ ...plan, issuer }, NO_OVERRIDES, english);
    for (const line of detail.split("\n")) assert.ok(line.length < 1_100, line.slice(0, 40));
    assert.match(detail, /^Authorization server: https:\/\/auth\.example\.com\/x+…$/m);
    assert.match(detail, /^All scopes: x+… \(the server asked for them\)$/m);
    assert.match(detail, /⚠ This machine cannot find/);
    assert.ok(warnings.every((warning) => warning.length < 400));
    assert.equal(whole?.split(long).length, 6);
    assert.ok(whole?.includes("last"));
  });
});
