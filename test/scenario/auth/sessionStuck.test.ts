import assert from "node:assert/strict";

import { deferred } from "../../../src/base/deferred.ts";
import { failsWith } from "../../support/failsWith.ts";
import { browse } from "../../support/browse.ts";
import { SessionBench, type SessionWindow } from "../../support/sessionBench.ts";
import { never } from "../../support/transportHelpers.ts";

const HOUR = 3_600_000;

describe("a sign-in that gets stuck", () => {
  let bench: SessionBench;
  beforeEach(() => {
    bench = new SessionBench();
  });
  afterEach(() => bench.end());

  // Many authorization servers show a page of their own for a client that they do not know, and send nobody back.
  it("on a page that does not know the client is cured by a new registration, which does not wait for it", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    bench.clock.advance(2_000);
    const opened = browseNowhere(window);
    const stuck = window.signIn();
    stuck.catch(() => undefined);
    assert.match(await opened, /client_id=client-1&/);
    browseAll(window);
    await window.signIn({ newRegistration: true });
    await failsWith("sign-in-declined", stuck);
    assert.equal(server.registrations.length, 2);
    assert.equal(server.authorizations.at(-1)?.get("client_id"), "client-2");
    assert.equal(window.session.status.kind, "signed-in");
    assert.equal(await window.request(), 200);
  });

  it("makes room for one with other scopes, and is joined by one that leaves them open", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    const opened = browseNowhere(window);
    const first = window.signIn();
    await opened;
    const second = window.signIn();
    browseAll(window);
    const third = window.signIn({ scopes: ["mine"] });
    await failsWith("sign-in-declined", first);
    await failsWith("sign-in-declined", second);
    await third;
    assert.deepEqual(
      server.authorizations.map((asked) => asked.get("scope")),
      ["mine"],
    );
  });

  it("and is given up leaves nothing that the next one could get stuck on", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    const opened = browseNowhere(window);
    const cancel = new AbortController();
    const first = window.session.signIn({}, cancel.signal);
    await opened;
    cancel.abort(new Error("closed"));
    await assert.rejects(first, /closed/);
    assert.equal(await statusAfter(window), "none");
    // As after a restart of the editor: what is left is in the store alone.
    window.session.dispose();
    const later = await bench.window(server);
    await later.signIn();
    const [before, after] = server.registrations as { redirect_uris: string[] }[];
    assert.notDeepEqual(after?.redirect_uris, before?.redirect_uris);
    assert.deepEqual(after?.redirect_uris, [server.authorizations[0]?.get("redirect_uri")]);
    assert.equal(await later.request(), 200);
  });

  it("keeps what was signed in before in use", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    bench.clock.advance(2_000);
    const opened = browseNowhere(window);
    const cancel = new AbortController();
    const again = window.session.signIn({}, cancel.signal);
    await opened;
    assert.equal(window.session.status.kind, "signing-in");
    assert.equal(await window.request(), 200);
    cancel.abort(new Error("closed"));
    await assert.rejects(again, /closed/);
    assert.equal(await statusAfter(window), "signed-in");
    bench.clock.advance(HOUR);
    assert.equal(await window.request(), 200, "and it is still renewed");
  });

  it("does not keep the settings from being changed: another client of the settings is used at once", async () => {
    const server = await bench.server();
    const withClient = (clientId: string): Promise<SessionWindow> =>
      bench.window(server, { settings: { clientId, registration: "preregistered" } });
    const wrong = await withClient("wrong");
    await wrong.signIn();
    wrong.session.dispose();
    const right = await withClient("right");
    assert.deepEqual(right.session.status, { kind: "needs-sign-in", reason: "settings-changed" });
    await failsWith("sign-in-needed", right.request());
    assert.equal(server.sent.at(-1), undefined, "nothing of the wrong client's is sent");
    await right.signIn();
    assert.equal(server.authorizations.at(-1)?.get("client_id"), "right");
    assert.equal(await right.request(), 200);
  });

  it("is not the end of the tokens when the client of the settings is refused, and not a loop", async () => {
    const server = await bench.server();
    const settings = { clientId: "mine", registration: "preregistered" as const };
    const window = await bench.window(server, { settings });
    await window.signIn();
    server.script.token = (_asked, exchange) => {
      exchange.json(401, { error: "invalid_client", error_description: "this client is disabled" });
      return "answered";
    };
    // Nine tenths of its life are over: it is renewed, and else used until its end.
    bench.clock.advance(0.95 * HOUR);
    assert.equal(await window.request(), 200);
    assert.equal(await window.request(), 200);
    assert.equal(server.refreshes.length, 1);
    const { status } = window.session;
    assert.match(String(status.kind === "signed-in" && status.refreshProblem), /this client is disabled/);
    const error = await failsWith("client-refused", window.signIn());
    assert.match(
      error.message,
      /client mine of the settings of “Files”: invalid_client this client is disabled/,
    );
    assert.equal(await window.request(), 200, "what was signed in before is still in use");
    assert.equal(server.registrations.length, 0);
    delete server.script.token;
    await window.signIn();
    assert.equal(await window.request(), 200);
  });

  it("of one server keeps no other server of the same authorization server waiting", async () => {
    const [server, other] = [await bench.server(), await bench.server()];
    other.script.issuer = server.origin;
    const stuck = await bench.window(server, { settings: { serverName: "Stuck" } });
    const free = await bench.window(other, { settings: { serverName: "Free" } });
    const opened = browseNowhere(stuck);
    const waiting = stuck.signIn();
    waiting.catch(() => undefined);
    await opened;
    await free.signIn();
    // The resource server of the tests takes the tokens that its own authorization server has given.
    for (const token of server.live) other.live.add(token);
    assert.equal(await free.request(), 200);
    assert.equal(server.authorizations[0]?.get("resource"), `${other.origin}/mcp`);
    browseAll(stuck);
    await stuck.signIn({ newRegistration: true });
    assert.equal(await stuck.request(), 200);
    assert.notEqual(stuck.session.account, free.session.account);
    await free.session.signOut(never);
    assert.equal(await stuck.request(), 200, "signing out of one leaves the other alone");
    assert.equal(server.revocations.length, 1);
  });
});

/** The browser opens, and nobody comes back. Resolves with the address. */
function browseNowhere(window: SessionWindow): Promise<string> {
  const opened = deferred<string>();
  window.person.browse = (url) => {
    opened.resolve(url);
    return Promise.resolve();
  };
  return opened.promise;
}

function browseAll(window: SessionWindow): void {
  window.person.browse = async (url) => {
    await browse(url);
  };
}

/** The status once a sign-in is over. */
async function statusAfter({ session }: SessionWindow): Promise<string> {
  while (session.status.kind === "signing-in")
    await new Promise<void>((resolve) => {
      const subscription = session.onDidChange(() => {
        subscription.dispose();
        resolve();
      });
    });
  return session.status.kind;
}
