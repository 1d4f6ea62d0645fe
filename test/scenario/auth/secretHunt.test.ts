import assert from "node:assert/strict";
import { exportPKCS8, generateKeyPair } from "jose";
import { createMemoryCredentialStore } from "../../../src/auth/store/memoryCredentialStore.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { AuthWindow, type AuthWindowOptions } from "../../support/authWindow.ts";
import { browse } from "../../support/browse.ts";
import { type Bends, EvilAuth, MARK } from "../../support/evilAuth.ts";
import type { ScriptedExchange } from "../../support/scriptedHttp.ts";
import { textsOf } from "../../support/textsOf.ts";

/** A window with a server whose every secret is marked, and everything that anybody got to see of it. */
class Hunt {
  readonly evil: EvilAuth;
  readonly window: AuthWindow;
  readonly errors: unknown[] = [];
  readonly shown: unknown[] = [];
  /** What is kept of each credential, which is the one place where secrets belong. */
  readonly kept: string[];

  private constructor(evil: EvilAuth, window: AuthWindow, kept: string[]) {
    this.evil = evil;
    this.window = window;
    this.kept = kept;
  }

  static async begin(
    bends: Bends = {},
    oauth: (evil: EvilAuth) => JsonObject = () => ({}),
    options: AuthWindowOptions = {},
  ): Promise<Hunt> {
    const evil = await EvilAuth.start(bends);
    const kept: string[] = [];
    const inner = createMemoryCredentialStore();
    const store = {
      ...inner,
      set: (key: string, value: string) => {
        kept.push(value);
        return inner.set(key, value);
      },
    };
    const servers = { s: { url: evil.url, oauth: oauth(evil) } };
    return new Hunt(evil, new AuthWindow(servers, { browse, store, ...options }), kept);
  }

  /** Does something that may fail, and keeps all that it shows. */
  async try(work: () => Promise<unknown>): Promise<void> {
    try {
      this.shown.push(await work());
    } catch (error) {
      this.errors.push(error);
    }
    const { session, servers } = this.window;
    // The settings are the person's own, and may hold secrets.
    const { config: _config, ...entry } = servers.pool.get("s") ?? {};
    this.shown.push(session.status, session.report(), entry);
  }

  /** Fails when a secret can be seen anywhere. */
  async end(more: readonly string[] = []): Promise<void> {
    const { evil, window } = this;
    await window[Symbol.asyncDispose]();
    await evil.close();
    const { lines, sensitive } = window.log;
    const { plans } = window.person;
    const raw = { lines, sensitive, plans, verdicts: window.servers.verdicts, shown: this.shown };
    // The wire is shown to whoever asks for it, with what is secret hidden, as the host does it.
    const wire = [...window.servers.log.lines, ...window.servers.log.sensitive].map((line) =>
      window.redactor.redact(line),
    );
    const texts = [...textsOf([raw, this.errors]), ...wire];
    const secrets = [...evil.authority.secrets, ...window.secrets, ...more];
    assert.ok(secrets.length > 0);
    for (const secret of [
      ...secrets,
      MARK,
      ...secrets.map((one) => Buffer.from(one).toString("base64url")),
    ]) {
      const found = texts.filter((text) => text.includes(secret)).map((text) => text.slice(0, 500));
      assert.deepEqual(found, [], `${secret} can be seen`);
    }
    const isKept = (secret: string): boolean => this.kept.some((text) => text.includes(secret));
    const told = (kind: string): void => {
      for (const secret of evil.authority.secrets)
        if (secret.startsWith(`${MARK}-${kind}`) && isKept(secret))
          assert.ok(window.secrets.has(secret), `${secret} was not told`);
    };
    ["access", "refresh", "client-secret"].forEach(told);
  }
}

/** Answers with everything that was sent, in each place where a server puts words. */
function reflect(status: number) {
  return (exchange: ScriptedExchange): void => {
    const { body, headers, path } = exchange.request;
    const words = `you sent ${body} ${decodeURIComponent(body)} ${headers.authorization ?? ""} to ${path}`;
    const quoted = words.replaceAll('"', "'").replaceAll(/[^ -~]/g, "");
    exchange.json(
      status,
      { error: "invalid_request", error_description: words, error_uri: words, message: words },
      { "www-authenticate": `Bearer error="invalid_token", error_description="${quoted}"` },
    );
  };
}

describe("no secret can be seen", function () {
  this.timeout(20_000);

  // Attack: 59
  it("in all that a server with registration, renewal, more permission and sign-out leaves behind", async () => {
    const hunt = await Hunt.begin({ toolScope: "files:write" });
    const { window, evil } = hunt;
    await hunt.try(() => window.signIn());
    await hunt.try(() => window.call("t"));
    await hunt.try(() => window.servers.pool.stepUp("s"));
    await hunt.try(() => window.call("t"));
    evil.authority.expire();
    await hunt.try(() => window.call("t"));
    await hunt.try(() => window.servers.pool.signOut("s"));
    assert.equal(hunt.errors.length, 1);
    assert.equal(evil.authority.at("/revoke").length, 1);
    assert.ok(hunt.kept.some((text) => text.includes(`${MARK}-refresh`)));
    await hunt.end();
  });

  // Attack: 59
  it("when the authorization server throws back what it was sent", async () => {
    const bends: Bends = {};
    const hunt = await Hunt.begin(bends);
    const { window, evil } = hunt;
    await hunt.try(() => window.signIn());
    bends.token = reflect(400);
    evil.authority.expire();
    await hunt.try(() => window.call("t"));
    await hunt.try(() => window.signIn());
    bends.token = reflect(200);
    await hunt.try(() => window.signIn());
    bends.token = (exchange) => exchange.answer(500, `<html>${exchange.request.body}</html>`);
    await hunt.try(() => window.signIn());
    delete bends.token;
    await hunt.try(() => window.signIn());
    bends.revoke = reflect(503);
    await hunt.try(() => window.servers.pool.signOut("s"));
    assert.equal(hunt.errors.length, 4);
    await hunt.end();
  });

  // Attack: 59
  it("when the authorization server sends the browser back with what it was sent", async () => {
    const hunt = await Hunt.begin({
      authorize: (exchange) => {
        const { searchParams } = new URL(exchange.request.path, "http://localhost");
        const back = new URL(searchParams.get("redirect_uri") ?? "");
        const words = `state ${searchParams.get("state") ?? ""}`;
        for (const [name, value] of Object.entries({
          error: "access_denied",
          error_description: words,
          state: searchParams.get("state") ?? "",
          iss: hunt.evil.authority.issuer,
        }))
          back.searchParams.set(name, value);
        exchange.answer(302, "", { location: back.href, connection: "close" });
      },
    });
    await hunt.try(() => hunt.window.signIn());
    assert.equal(hunt.errors.length, 1);
    await hunt.end();
  });

  // Attack: 59
  it("when the MCP server throws back the token that it was sent", async () => {
    const bends: Bends = {};
    const hunt = await Hunt.begin(bends);
    const { window } = hunt;
    await hunt.try(() => window.signIn());
    for (const status of [401, 403, 500, 502]) {
      bends.mcp = reflect(status);
      await hunt.try(() => window.call("t"));
    }
    assert.equal(hunt.errors.length, 4);
    await hunt.end();
  });

  // Attack: 59
  it("of a client that was registered by hand, with a secret that forms have to encode", async () => {
    const secret = "p:a%s+s w/ö".replace("ö", "o");
    for (const method of ["client_secret_basic", "client_secret_post"]) {
      const bends: Bends = {};
      const hunt = await Hunt.begin(bends, ({ authority }) => ({
        clientId: "known",
        clientSecret: secret,
        clientAuthMethod: method,
        issuer: authority.issuer,
      }));
      await hunt.try(() => hunt.window.signIn());
      bends.token = reflect(401);
      hunt.evil.authority.expire();
      await hunt.try(() => hunt.window.call("t"));
      await hunt.try(() => hunt.window.signIn());
      assert.equal(hunt.errors.length, 2);
      assert.equal(
        hunt.kept.some((text) => text.includes(secret)),
        false,
      );
      const encoded = new URLSearchParams({ secret }).toString().slice("secret=".length);
      await hunt.end([secret, encoded, Buffer.from(`known:${encoded}`).toString("base64")]);
    }
  });

  // Attack: 59
  it("of a client that proves itself with a key, and of the assertions that it signs", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const pem = await exportPKCS8(privateKey);
    const bends: Bends = {
      metadata: (document) => ({ ...document, token_endpoint_auth_methods_supported: ["private_key_jwt"] }),
    };
    const hunt = await Hunt.begin(bends, ({ authority }) => ({
      clientId: "known",
      clientKey: pem,
      issuer: authority.issuer,
    }));
    await hunt.try(() => hunt.window.signIn());
    bends.token = reflect(400);
    await hunt.try(() => hunt.window.signIn());
    assert.equal(hunt.errors.length, 1);
    const [line = ""] = pem.split("\n").slice(1);
    assert.equal(
      hunt.kept.some((text) => text.includes(line)),
      false,
    );
    await hunt.end([
      line,
      ...hunt.evil.authority.at("/token").map(({ form }) => form.get("client_assertion") ?? ""),
    ]);
  });

  // Attack: 59
  it("of the key that tokens are bound to", async () => {
    const bends: Bends = {
      metadata: (document) => ({ ...document, dpop_signing_alg_values_supported: ["ES256"] }),
      token: (exchange) =>
        exchange.json(200, {
          access_token: hunt.evil.authority.make("access"),
          refresh_token: hunt.evil.authority.make("refresh"),
          token_type: "DPoP",
          expires_in: 3600,
        }),
    };
    const hunt: Hunt = await Hunt.begin(bends, () => ({ dpop: "required" }));
    await hunt.try(() => hunt.window.signIn());
    bends.token = reflect(400);
    await hunt.try(() => hunt.window.signIn());
    const key = /"d":"([\w-]+)"/.exec(hunt.kept.join("\n").replaceAll("\\", ""))?.[1];
    assert.ok(key !== undefined, "the key was not kept");
    await hunt.end([key]);
  });

  // Attack: 59
  it("of grants without a person", async () => {
    const grants: readonly (readonly [oauth: (issuer: string) => JsonObject, secrets: readonly string[]])[] =
      [
        [
          () => ({ grant: "workload", workload: { assertion: "aaaa.workload-assertion.bbbb" } }),
          ["workload-assertion"],
        ],
        [() => ({ grant: "client_credentials", clientSecret: "a-machine-secret" }), ["a-machine-secret"]],
        [
          (idpIssuer) => ({
            grant: "enterprise",
            clientSecret: "a-resource-secret",
            enterprise: {
              idpIssuer,
              idpClientId: "idp",
              idpClientSecret: "an-idp-secret",
              idToken: "aaaa.identity-token.bbbb",
            },
          }),
          ["identity-token", "an-idp-secret", "a-resource-secret"],
        ],
      ];
    for (const [oauth, secrets] of grants) {
      const bends: Bends = { token: reflect(400) };
      const hunt = await Hunt.begin(bends, ({ authority }) => ({
        clientId: "machine",
        issuer: authority.issuer,
        ...oauth(authority.issuer),
      }));
      await hunt.try(() => hunt.window.servers.connect());
      assert.ok(hunt.evil.authority.at("/token").length > 0);
      await hunt.end(secrets);
    }
  });
});
