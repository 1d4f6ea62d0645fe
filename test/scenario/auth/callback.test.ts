import assert from "node:assert/strict";

import { deferred } from "../../../src/base/deferred.ts";
import { browse, findRedirect } from "../../support/browse.ts";
import { type Bench, failureOf, SignInBenches } from "../../support/signInBench.ts";

const benches = new SignInBenches();

/** Keeps the browser from coming back by itself, and gives the address that it would come back to. */
function holdBrowser(bench: Bench): Promise<string> {
  const redirect = deferred<string>();
  bench.person.browse = async (url) => {
    redirect.resolve(await findRedirect(url));
  };
  return redirect.promise;
}

/** An address with some of its parameters changed; undefined takes one away. */
function change(address: string, changes: Record<string, string | undefined>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
}

const parameter = (address: string, name: string): string => new URL(address).searchParams.get(name) ?? "";

describe("what comes back from a sign-in", () => {
  afterEach(() => benches.end());

  // Attack: 23
  // Duty: 16.6.2
  it("is not used when another authorization server has given it (mix-up)", async () => {
    const honest = await benches.server();
    const evil = await benches.server({
      authorize: (asked) => `${honest.origin}/authorize?${asked.toString()}`,
    });
    const bench = benches.bench(evil);
    const error = await failureOf(bench.signIn());
    assert.equal(error.code, "iss-mismatch");
    assert.equal(honest.authorizations.length, 1);
    assert.deepEqual([...evil.tokenRequests, ...honest.tokenRequests], []);
    assert.ok(!evil.requests.some((request) => request.includes("code-1")));
    assert.match(await bench.person.pageSeen(), /cannot be trusted/);
  });

  it("is not used without the name of its issuer where that is announced", async () => {
    const server = await benches.server({
      authorize: (_asked, { code = "", state = "" }) => ({ code, state }),
    });
    assert.equal((await failureOf(benches.bench(server).signIn())).code, "iss-missing");
    assert.equal(server.tokenRequests.length, 0);
  });

  // Attack: 28
  // Duty: 16.6.5
  it("may be a refusal of a stranger, whose words nobody gets to see", async () => {
    const words = "<b>call 0800 MARK</b>";
    const server = await benches.server({
      authorize: (asked) => ({
        error: "access_denied",
        error_description: words,
        state: asked.get("state") ?? "",
        iss: "https://evil.example",
      }),
    });
    const bench = benches.bench(server);
    const error = await failureOf(bench.signIn());
    assert.equal(error.code, "iss-mismatch");
    const shown = [
      error.message,
      error.detail,
      String(error.cause),
      ...bench.lines,
      await bench.person.pageSeen(),
    ];
    assert.ok(!shown.join("\n").includes("MARK"), shown.join("\n"));
    assert.ok(!shown.join("\n").includes("access_denied"));
  });

  it("may be a refusal, whose reason the person is told in the editor and not by the page", async () => {
    const server = await benches.server({
      authorize: (asked, { iss = "" }) => ({
        error: "access_denied",
        error_description: "You said no.",
        state: asked.get("state") ?? "",
        iss,
      }),
    });
    const bench = benches.bench(server);
    const error = await failureOf(bench.signIn());
    assert.equal(error.code, "authorization-refused");
    assert.match(error.message, /access_denied You said no\./);
    assert.match(await bench.person.pageSeen(), /did not authorize “Files”/);
    assert.ok(!(await bench.person.pageSeen()).includes("You said no"));
  });

  // Attack: 29
  // Duty: 16.6.3
  it("changes nothing with a wrong state or none, and the right answer still counts", async () => {
    const server = await benches.server();
    const bench = benches.bench(server);
    const redirect = holdBrowser(bench);
    const signingIn = bench.signIn();
    const address = await redirect;
    for (const state of [undefined, "", "wrong", `${parameter(address, "state")}x`]) {
      const page = await browse(change(address, { state }));
      assert.equal(page.status, 400);
      assert.match(page.body, /belongs to no sign-in/);
    }
    const refusal = change(address, { state: "wrong", code: undefined, error: "access_denied" });
    assert.equal((await browse(refusal)).status, 400);
    assert.equal((await browse(address)).status, 200);
    assert.equal((await signingIn).tokens.access, "token-1");
  });

  // Attack: 30
  it("is taken once, however often the page is loaded", async () => {
    const server = await benches.server();
    const bench = benches.bench(server);
    const redirect = holdBrowser(bench);
    const signingIn = bench.signIn();
    const address = await redirect;
    const pages = await Promise.all([browse(address), browse(address), browse(address)]);
    await signingIn;
    const again = await browse(address);
    assert.equal(pages.filter(({ body }) => body.includes("has arrived")).length, 1);
    assert.match(again.body, /Already done/);
    assert.equal(server.tokenRequests.length, 1);
  });

  // Attack: 31
  it("comes too late after ten minutes", async () => {
    const server = await benches.server();
    const bench = benches.bench(server);
    const redirect = holdBrowser(bench);
    const signingIn = failureOf(bench.signIn());
    const address = await redirect;
    bench.clock.advance(10 * 60_000 - 1);
    assert.equal((await browse(change(address, { state: "wrong" }))).status, 400);
    bench.clock.advance(1);
    const error = await signingIn;
    assert.equal(error.code, "sign-in-timeout");
    assert.match(error.message, /10 minutes/);
    await assert.rejects(browse(address), /ECONNREFUSED/);
    assert.equal(server.tokenRequests.length, 0);
    assert.equal(bench.clock.pending, 0);
  });

  // Attack: 31, 32
  it("is no answer to another sign-in, of this server or of another one", async () => {
    const server = await benches.server();
    const other = await benches.server();
    const held = [server, server, other].map((each) => {
      const bench = benches.bench(each);
      const redirect = holdBrowser(bench);
      return { bench, redirect, signingIn: bench.signIn() };
    });
    const [first = "", second = "", third = ""] = await Promise.all(held.map(({ redirect }) => redirect));
    for (const target of [second, third]) {
      const stray = change(target, { state: parameter(first, "state"), code: parameter(first, "code") });
      assert.equal((await browse(stray)).status, 400);
    }
    assert.equal(server.tokenRequests.length + other.tokenRequests.length, 0);
    for (const address of [first, second, third]) assert.equal((await browse(address)).status, 200);
    await Promise.all(held.map(({ signingIn }) => signingIn));
  });

  // Attack: 33
  it("may hold the code of an attacker, which PKCE makes worthless, and nothing is tried again", async () => {
    const server = await benches.server();
    const attacker = benches.bench(server);
    const stolen = holdBrowser(attacker);
    const attacking = assert.rejects(attacker.signIn(), /given up/);
    const victim = benches.bench(server);
    const redirect = holdBrowser(victim);
    const signingIn = failureOf(victim.signIn());
    const injected = change(await redirect, { code: parameter(await stolen, "code") });
    await browse(injected);
    const error = await signingIn;
    assert.equal(error.code, "token-refused");
    assert.match(error.message, /invalid_grant/);
    assert.equal(server.tokenRequests.length, 1);
    assert.equal(server.authorizations.length, 2);
    attacker.cancel.abort(new Error("given up"));
    await attacking;
  });

  // Attack: 35
  it("is explained when it is in a fragment or in a token, and the sign-in goes on", async () => {
    const server = await benches.server();
    const bench = benches.bench(server);
    const redirect = holdBrowser(bench);
    const signingIn = bench.signIn();
    const address = await redirect;
    const bare = address.split("?")[0] ?? "";
    // A browser keeps the fragment to itself.
    for (const url of [bare, `${bare}?response=eyJhbGciOiJub25lIn0.e30.`]) {
      const page = await browse(url);
      assert.equal(page.status, 400);
      assert.match(page.body, /did not put its answer into the query/);
    }
    await browse(address);
    assert.equal((await signingIn).tokens.access, "token-1");
  });

  describe("and is pasted", () => {
    // Attack: 36
    it("is judged as by the listener, and asked for again", async () => {
      const server = await benches.server();
      const bench = benches.bench(server);
      const redirect = holdBrowser(bench);
      const texts = [
        (address: string) => address.replace(/^http:\/\/127\.0\.0\.1/, "http://evil.example"),
        (address: string) => `vscode://publisher.extension/callback${new URL(address).search}`,
        (address: string) => address.replace("&state=", "\n&state="),
        (address: string) => change(address, { state: "wrong" }),
        (address: string) => `  ${change(address, { extra: "1" })}\n`,
      ];
      bench.person.pasteAddress = async (_signal, problem) => {
        bench.person.pasteProblems.push(problem);
        const text = texts.shift() ?? (() => assert.fail("it was asked for too often"));
        return text(await redirect);
      };
      assert.equal((await bench.signIn()).tokens.access, "token-1");
      const [first, ...problems] = bench.person.pasteProblems;
      assert.equal(first, undefined);
      assert.deepEqual(
        problems.map((problem) => problem?.code),
        Array<string>(4).fill("callback-invalid"),
      );
      const state = parameter(await redirect, "state");
      assert.ok(!bench.lines.some((line) => line.includes(state) || line.includes("code-1")));
    });

    // Attack: 36
    it("ends the sign-in when it does not name its issuer, although it carries the state", async () => {
      const server = await benches.server();
      const bench = benches.bench(server);
      const redirect = holdBrowser(bench);
      bench.person.pasteAddress = async () => change(await redirect, { iss: undefined });
      assert.equal((await failureOf(bench.signIn())).code, "iss-missing");
      assert.equal(server.tokenRequests.length, 0);
    });

    it("is asked for five times at most, and the browser may come all the same", async () => {
      const server = await benches.server();
      const bench = benches.bench(server);
      const redirect = holdBrowser(bench);
      let asked = 0;
      const fifth = deferred();
      bench.person.pasteAddress = async () => {
        asked += 1;
        if (asked === 5) fifth.resolve(undefined);
        return "nothing of the kind";
      };
      const signingIn = bench.signIn();
      const address = await redirect;
      await fifth.promise;
      await browse(address);
      await signingIn;
      assert.equal(asked, 5);
    });
  });

  it("leaves no trace of its secrets in log and errors", async () => {
    const server = await benches.server();
    const bench = benches.bench(server);
    const signedIn = await bench.signIn();
    const [asked] = server.authorizations;
    const [exchanged] = server.tokenRequests;
    const secrets = [
      asked?.get("state"),
      exchanged?.get("code"),
      exchanged?.get("code_verifier"),
      signedIn.tokens.access,
      signedIn.tokens.refresh,
    ];
    for (const secret of secrets) {
      assert.ok(secret !== undefined && secret !== null && secret !== "");
      assert.ok(!bench.lines.some((line) => line.includes(secret)), secret);
    }
  });
});
