import assert from "node:assert/strict";
import { AuthError } from "../../../src/auth/authError.ts";
import { createMemoryCredentialStore } from "../../../src/auth/store/memoryCredentialStore.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { AuthWindow } from "../../support/authWindow.ts";
import { browse } from "../../support/browse.ts";
import { type Bends, EvilAuth, type EvilAuthority, MARK, MARK_SCOPE } from "../../support/evilAuth.ts";

interface Scene {
  readonly evil: EvilAuth;
  /** A server that nobody ever has a reason to ask for anything. */
  readonly canary: EvilAuthority;
  readonly window: AuthWindow;
  /** Keys of the records that are stored. */
  readonly stored: Set<string>;
}

async function withEvil(
  bends: (canary: EvilAuthority) => Bends,
  oauth: (scene: Pick<Scene, "evil" | "canary">) => JsonObject,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const mine: Bends = {};
  const evil = await EvilAuth.start(mine);
  const canary = await evil.another();
  Object.assign(mine, bends(canary));
  const stored = new Set<string>();
  const inner = createMemoryCredentialStore();
  const store = {
    ...inner,
    set: (key: string, value: string) => {
      stored.add(key);
      return inner.set(key, value);
    },
    delete: (key: string) => {
      stored.delete(key);
      return inner.delete(key);
    },
  };
  const servers = { s: { url: evil.url, oauth: oauth({ evil, canary }) } };
  const window = new AuthWindow(servers, { browse, store });
  try {
    await work({ evil, canary, window, stored });
  } finally {
    await window[Symbol.asyncDispose]();
    await evil.close();
  }
}

const NO_OAUTH = () => ({});

/** What a wicked server says, what a person is told, and whether the browser is opened before that. */
const LIES: readonly (readonly [title: string, code: string, bends: (canary: EvilAuthority) => Bends])[] = [
  [
    "metadata of another issuer",
    "issuer-mismatch",
    (canary) => ({ metadata: (document) => ({ ...document, issuer: canary.issuer }) }),
  ],
  [
    "a resource of another origin",
    "resource-mismatch",
    (canary) => ({ resource: (document) => ({ ...document, resource: `${canary.issuer}/mcp` }) }),
  ],
  [
    "no PKCE",
    "pkce-unsupported",
    () => ({ metadata: ({ code_challenge_methods_supported: _, ...document }) => document }),
  ],
  [
    "a script for a page",
    "bad-endpoint",
    () => ({ metadata: (document) => ({ ...document, authorization_endpoint: "javascript:alert(1)" }) }),
  ],
  [
    "a command for a page",
    "bad-endpoint",
    () => ({ metadata: (document) => ({ ...document, authorization_endpoint: "file:///bin/sh?$(calc)" }) }),
  ],
  [
    "a page on another origin, with answers that name nobody",
    "bad-endpoint",
    (canary) => ({
      metadata: ({ authorization_response_iss_parameter_supported: _, ...document }) => ({
        ...document,
        authorization_endpoint: `${canary.issuer}/authorize`,
      }),
    }),
  ],
];

/** Token answers that are none, and what a person is told. */
const ANSWERS: readonly (readonly [title: string, status: number, body: object])[] = [
  ["an error that calls itself a success", 200, { error: "invalid_grant" }],
  ["no type", 200, { access_token: `${MARK}-a` }],
  ["a type that nobody asked for", 200, { access_token: `${MARK}-a`, token_type: "mac" }],
  ["a lifetime in words", 200, { access_token: `${MARK}-a`, token_type: "Bearer", expires_in: "abc" }],
  ["a token that no header can carry", 200, { access_token: `${MARK}\r\nx: y`, token_type: "Bearer" }],
];

describe("a server that lies", () => {
  for (const [title, code, bends] of LIES) {
    // Attack: 1, 8, 16, 17, 19
    it(`about ${title} opens no browser and is given nothing`, async () => {
      await withEvil(bends, NO_OAUTH, async ({ evil, canary, window, stored }) => {
        await assert.rejects(window.signIn(), (error) => error instanceof AuthError && error.code === code);
        assert.deepEqual(window.person.opened, []);
        assert.deepEqual(window.person.plans, []);
        assert.deepEqual(evil.authority.asked, []);
        assert.deepEqual(canary.asked, []);
        assert.deepEqual([...stored], []);
        assert.deepEqual(evil.tokensSent, []);
      });
    });
  }

  for (const [title, status, body] of ANSWERS) {
    // Attack: 41
    it(`answers for tokens with ${title}, and nothing is kept or sent`, async () => {
      const bends = (): Bends => ({ token: (exchange) => exchange.json(status, body) });
      await withEvil(bends, NO_OAUTH, async ({ evil, window, stored }) => {
        await assert.rejects(window.signIn(), AuthError);
        assert.equal(evil.authority.at("/token").length, 1);
        assert.deepEqual([...stored], []);
        assert.deepEqual(evil.tokensSent, []);
        assert.notEqual(window.session.status.kind, "signed-in");
      });
    });
  }

  // Attack: 21
  it("gets no byte of a secret for a token endpoint on another origin", async () => {
    const secret = "the-secret-of-the-person";
    const bends = (canary: EvilAuthority): Bends => ({
      metadata: (document) => ({ ...document, token_endpoint: `${canary.issuer}/token` }),
    });
    const oauth = ({ evil }: Pick<Scene, "evil">) => ({
      clientId: "known",
      clientSecret: secret,
      issuer: evil.authority.issuer,
    });
    await withEvil(bends, oauth, async ({ evil, canary, window }) => {
      const isOurs = (error: unknown) => error instanceof AuthError && error.code === "secret-cross-origin";
      await assert.rejects(window.signIn(), isOurs);
      assert.deepEqual(canary.asked, []);
      assert.ok(![evil.authority.received, canary.received].some((text) => text.includes(secret)));
    });
  });

  // Attack: 22
  it("moves its token endpoint after the sign-in, and gets no refresh token there", async () => {
    const mine: Bends = {};
    await withEvil(
      () => mine,
      NO_OAUTH,
      async ({ evil, canary, window }) => {
        await window.signIn();
        evil.bends.metadata = (document) => ({ ...document, token_endpoint: `${canary.issuer}/token` });
        evil.authority.expire();
        await window.call("t");
        assert.deepEqual(canary.asked, []);
        assert.equal(evil.authority.at("/token").length, 2);
      },
    );
  });

  // Attack: 23
  it("sends the browser to an honest authorization server, and does not get its code", async () => {
    await withEvil(
      (honest) => ({
        authorize: (exchange) => {
          const query = exchange.request.path.split("?")[1] ?? "";
          exchange.answer(302, "", { location: `${honest.issuer}/authorize?${query}`, connection: "close" });
        },
      }),
      NO_OAUTH,
      async ({ evil, canary: honest, window, stored }) => {
        const isOurs = (error: unknown) => error instanceof AuthError && error.code === "iss-mismatch";
        await assert.rejects(window.signIn(), isOurs);
        assert.equal(honest.at("/authorize").length, 1);
        assert.deepEqual(evil.authority.at("/token"), []);
        const [code = ""] = [...honest.secrets].filter((secret) => secret.startsWith(`${MARK}-code`));
        assert.notEqual(code, "");
        assert.ok(!evil.authority.received.includes(code));
        assert.deepEqual([...stored], []);
      },
    );
  });

  for (const named of [true, false]) {
    // Attack: 20
    it(`has its page on another origin, whose answer ${named ? "is taken because it names" : "is refused unless it names"} its issuer`, async () => {
      await withEvil(
        (page) => ({
          metadata: (document) => ({ ...document, authorization_endpoint: `${page.issuer}/authorize` }),
        }),
        NO_OAUTH,
        async ({ evil: { authority, bends }, canary: page, window }) => {
          page.bends.authorize = (exchange) => {
            const asked = new URL(exchange.request.path, page.issuer).searchParams;
            const back = new URL(asked.get("redirect_uri") ?? "");
            back.searchParams.set("code", authority.make("code"));
            back.searchParams.set("state", asked.get("state") ?? "");
            if (named) back.searchParams.set("iss", authority.issuer);
            exchange.answer(302, "", { location: back.href, connection: "close" });
          };
          bends.token = (exchange) => {
            const access = authority.make("access");
            authority.live.set(access, MARK_SCOPE);
            exchange.json(200, { access_token: access, token_type: "Bearer" });
          };
          if (named) {
            await window.signIn();
            assert.equal(await window.call("t"), "done");
            return;
          }
          await assert.rejects(
            window.signIn(),
            (error) => error instanceof AuthError && error.code === "iss-missing",
          );
          assert.deepEqual(authority.at("/token"), []);
        },
      );
    });
  }

  // Attack: 55
  it("moves to another authorization server, which learns nothing of the first", async () => {
    await withEvil(
      () => ({}),
      NO_OAUTH,
      async ({ evil, canary: other, window }) => {
        await window.signIn();
        evil.issuers = [other.issuer];
        evil.trusted.clear();
        evil.trusted.add(other);
        evil.authority.expire();
        await assert.rejects(window.call("t"), AuthError);
        window.person.issuer = (issuers) => issuers[0];
        await window.signIn();
        assert.equal(window.person.plans.at(-1)?.changedFrom, evil.authority.issuer);
        assert.equal(await window.call("t"), "done");
        assert.equal(other.at("/register").length, 1);
        for (const secret of evil.authority.secrets) assert.ok(!other.received.includes(secret), secret);
      },
    );
  });

  // Attack: 58
  it("sends its endpoint on to another host, which gets no token", async () => {
    await withEvil(
      (canary) => ({
        mcp: (exchange) => exchange.answer(307, "", { location: `${canary.issuer}/mcp` }),
      }),
      NO_OAUTH,
      async ({ canary, window }) => {
        await assert.rejects(window.signIn().then(() => window.call("t")));
        assert.deepEqual(canary.asked, []);
      },
    );
  });
});
