import assert from "node:assert/strict";

import { deferred } from "../../../src/base/deferred.ts";
import type { AuthSession } from "../../../src/auth/model/authSession.ts";
import type { SignedIn } from "../../../src/auth/model/facts.ts";
import { newDpopKey } from "../../../src/auth/dpop/newDpopKey.ts";
import type { PinnedNetwork } from "../../../src/net/pinnedRequest.ts";
import { FACTS } from "../../support/credentialFixtures.ts";
import { failsWith } from "../../support/failsWith.ts";
import { startScriptedHttp } from "../../support/scriptedHttp.ts";
import { SessionBench, type SessionWindow } from "../../support/sessionBench.ts";
import type { SessionServer } from "../../support/sessionServer.ts";
import { never } from "../../support/transportHelpers.ts";

const HOUR = 3_600_000;

describe("what an authorization is bound to", () => {
  let bench: SessionBench;
  beforeEach(() => {
    bench = new SessionBench();
  });
  afterEach(() => bench.end());

  /** A window that was signed in when the server was in the internet; now all of it is on this machine. */
  const moved = async (server: SessionServer): Promise<SessionWindow> => {
    const { network } = await bench.window(server);
    const before: PinnedNetwork = {
      send: (request) => network.send({ ...request, from: "loopback" }),
      zoneOf: () => Promise.resolve({ zone: "public", proxy: undefined }),
    };
    const first = await bench.window(server, { network: before });
    await first.signIn();
    first.session.dispose();
    return bench.window(server);
  };

  // Attack: 76
  it("a refresh goes nowhere that the zone of the sign-in does not reach", async () => {
    const server = await bench.server();
    const window = await moved(server);
    bench.clock.advance(HOUR);
    const error = await failsWith("refresh-unavailable", window.request());
    assert.match(error.message, /public network/);
    assert.equal(server.refreshes.length, 0);
    assert.notEqual(window.session.account, "", "nothing is lost");
  });

  // Attack: 76
  it("signing out does not revoke where that zone does not reach, and deletes", async () => {
    const server = await bench.server();
    const window = await moved(server);
    const outcome = await window.session.signOut(never);
    assert.equal(outcome.kind, "failed");
    assert.equal(server.revocations.length, 0);
    assert.equal((await bench.window(server)).session.account, "");
  });

  // Attack: 22
  it("a refresh token goes to the token endpoint of the sign-in, whatever the metadata says since", async () => {
    const [server, other] = [await bench.server(), await bench.server()];
    const window = await bench.window(server);
    await window.signIn();
    server.script.tokenEndpoint = `${other.origin}/token`;
    bench.clock.advance(100 * HOUR);
    assert.equal(await window.request(), 200);
    assert.equal(server.refreshes.length, 1);
    assert.equal(other.received, "");
  });

  it("an authorization server that says nothing keeps nobody waiting who has a token that is good", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    const asked = deferred();
    const goOn = deferred();
    server.script.token = (_asked, exchange) => {
      asked.resolve(undefined);
      void goOn.promise.then(() => {
        server.live.add("late");
        exchange.json(200, { access_token: "late", token_type: "Bearer", expires_in: 3600 });
      });
      return "answered";
    };
    bench.clock.advance(HOUR - 60_000);
    const request = window.request();
    await asked.promise;
    bench.clock.advance(3_000);
    assert.equal(await request, 200);
    assert.notEqual(server.sent.at(-1), "Bearer late");
    const renewed = changeOf(window.session);
    goOn.resolve(undefined);
    await renewed;
    assert.equal(await window.request(), 200);
    assert.equal(server.sent.at(-1), "Bearer late");
    assert.equal(server.refreshes.length, 1);
  });

  it("a lock that another window holds for too long keeps nobody from a token that is good yet", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    const [key = ""] = bench.lockNames;
    const held = deferred();
    const holding = bench.lock.run(key, () => held.promise, never);
    bench.clock.advance(HOUR - 60_000);
    assert.equal(await passing(window.request()), 200);
    assert.equal(server.refreshes.length, 0);
    const givenUp = changeOf(window.session);
    bench.clock.advance(10_000);
    await givenUp;
    bench.clock.advance(HOUR);
    const error = await passing(failsWith("lock-timeout", window.request()));
    assert.match(error.message, /“Files”/);
    held.resolve(undefined);
    await holding;
    bench.clock.advance(HOUR);
    assert.equal(await window.request(), 200);
  });

  /** Waits for work that waits for the clock: ten seconds pass whenever something waits for them. */
  const passing = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    done.catch(() => undefined);
    const before = bench.clock.now();
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isDone && bench.clock.now() - before < 10_000) bench.clock.advance(500);
    }
    return done;
  };

  it("a bound token goes with a proof, and once more with the nonce that the server wants", async () => {
    const sent: { authorization: string | undefined; proof: Record<string, unknown> }[] = [];
    const http = await startScriptedHttp((exchange) => {
      const { authorization, dpop } = exchange.request.headers;
      const proof = JSON.parse(
        Buffer.from(String(dpop).split(".")[1] ?? "", "base64url").toString() || "{}",
      ) as Record<string, unknown>;
      sent.push({ authorization, proof });
      if (proof["nonce"] === "n1") return exchange.json(200, {});
      exchange.answer(401, "", {
        "www-authenticate": 'DPoP error="use_dpop_nonce"',
        "dpop-nonce": "n1",
      });
    });
    try {
      const dpop = await newDpopKey();
      const signedIn: SignedIn = {
        ...FACTS,
        zone: "loopback",
        dpop,
        tokens: { access: "bound", type: "dpop", obtainedAtMs: 0, expiresAtMs: HOUR, refresh: "r" },
      };
      const endpoint = new URL(http.url);
      const window = await bench.window({ endpoint }, { steps: { signIn: () => Promise.resolve(signedIn) } });
      await window.signIn();
      sent.length = 0;
      assert.equal(await window.request(), 200);
      assert.deepEqual(
        sent.map(({ authorization, proof }) => [authorization, proof["nonce"], proof["htu"]]),
        [
          ["DPoP bound", undefined, http.url],
          ["DPoP bound", "n1", http.url],
        ],
      );
      assert.notEqual(sent[0]?.proof["jti"], sent[1]?.proof["jti"]);
      assert.equal(await window.request(), 200);
      assert.equal(sent.length, 3, "the nonce is remembered");
      assert.ok(bench.secrets.has(String(dpop.jwk["d"])));
      const later = await bench.window({ endpoint });
      assert.equal(await later.request(), 200, "the key is stored with the token");
    } finally {
      await http.close();
    }
  });
});

/** The next change of a session. */
function changeOf(session: AuthSession): Promise<void> {
  return new Promise((resolve) => {
    const subscription = session.onDidChange(() => {
      subscription.dispose();
      resolve();
    });
  });
}
