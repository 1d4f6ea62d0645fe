import assert from "node:assert/strict";
import type { ClientAuthMethod } from "../../../../src/auth/model/authSettings.ts";
import {
  readRegistration,
  type RegistrationAnswer,
} from "../../../../src/auth/registration/readRegistration.ts";
import { createRegistrationRequest } from "../../../../src/auth/registration/registrationRequest.ts";

const OURS = "http://127.0.0.1:4711/callback";

const read = (
  body: unknown,
  {
    status = 201,
    wish = "none",
    offered,
  }: { status?: number; wish?: ClientAuthMethod; offered?: ClientAuthMethod[] } = {},
): RegistrationAnswer =>
  readRegistration(
    { status, body: typeof body === "string" ? body : JSON.stringify(body) },
    offered === undefined ? {} : { tokenAuthMethods: offered },
    { authMethod: wish, redirectUri: OURS },
  );

const client = (answer: RegistrationAnswer): unknown =>
  answer.kind === "client" ? answer.client : answer.kind;

describe("createRegistrationRequest", () => {
  // Attack: 89
  // Duty: 16.4.5, 16.4.6
  it("names a type of application and refresh tokens, and never a scope", () => {
    assert.deepEqual(createRegistrationRequest("none", OURS), {
      client_name: "Signalbox",
      redirect_uris: [OURS],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    });
  });

  it("is a web application where the browser comes back over https", () => {
    const type = (redirectUri: string): unknown =>
      createRegistrationRequest("none", redirectUri)["application_type"];
    assert.equal(type("https://code.test/proxy/4711/callback"), "web");
    assert.equal(type("http://localhost:4711/callback"), "native");
    assert.equal(type("http://[::1]:4711/callback"), "native");
  });
});

describe("readRegistration", () => {
  const plain = { kind: "dcr", id: "c1", authMethod: "none", redirectUri: OURS };

  it("reads what a server gives that follows the rules", () => {
    const answer = {
      client_id: "c1",
      client_secret: "s3cret",
      client_secret_expires_at: 1_800_000_000,
      redirect_uris: [OURS],
      token_endpoint_auth_method: "client_secret_post",
    };
    assert.deepEqual(client(read(answer)), {
      ...plain,
      authMethod: "client_secret_post",
      secret: "s3cret",
      secretExpiresAtMs: 1_800_000_000_000,
    });
  });

  // Attack: 87
  it("bears what servers leave out or write otherwise", () => {
    assert.deepEqual(client(read({ client_id: "c1" }, { status: 200 })), plain);
    const secret = { client_id: "c1", client_secret: "s3cret" };
    const basic = { ...plain, authMethod: "client_secret_basic", secret: "s3cret" };
    for (const expiry of [undefined, null, 0, "0", "never", -1])
      assert.deepEqual(client(read({ ...secret, client_secret_expires_at: expiry })), basic, String(expiry));
    const later = { ...basic, secretExpiresAtMs: 1_800_000_000_000 };
    for (const expiry of [1_800_000_000, "1800000000"])
      assert.deepEqual(client(read({ ...secret, client_secret_expires_at: expiry })), later);
    assert.deepEqual(client(read({ client_id: "c1", client_secret: null, redirect_uris: null })), plain);
  });

  // Attack: 87
  it("keeps a secret that it did not ask for, and proves itself as the server says", () => {
    const secret = { client_id: "c1", client_secret: "s3cret" };
    const method = (body: object, options: Parameters<typeof read>[1] = {}): unknown => {
      const answer = read(body, options);
      return answer.kind === "client" ? answer.client.authMethod : answer.kind;
    };
    assert.equal(method({ ...secret, token_endpoint_auth_method: "none" }), "none");
    assert.equal(
      method({ ...secret, token_endpoint_auth_method: "client_secret_post" }),
      "client_secret_post",
    );
    assert.equal(method(secret, { offered: ["client_secret_post"] }), "client_secret_post");
    assert.equal(method(secret, { offered: ["none"] }), "none");
    assert.equal(method(secret, { wish: "client_secret_post" }), "client_secret_post");
    assert.equal(method({ client_id: "c1", token_endpoint_auth_method: "client_secret_basic" }), "none");
  });

  // Attack: 87
  it("takes no client with another redirect address than ours", () => {
    for (const echoed of [[], ["http://127.0.0.1/callback"], ["https://evil.test/"], [OURS.toUpperCase()]])
      assert.equal(read({ client_id: "c1", redirect_uris: echoed }).kind, "rewritten");
    assert.equal(read({ client_id: "c1", redirect_uris: ["http://x.test", OURS] }).kind, "client");
  });

  const useless: readonly [name: string, body: unknown][] = [
    ["nothing", ""],
    ["HTML", "<html>"],
    ["a list", []],
    ["no id", {}],
    ["an id that is none", { client_id: 7 }],
    ["an empty id", { client_id: "" }],
    ["an id with control characters", { client_id: "a\nb" }],
    ["an endless id", { client_id: "x".repeat(10_000) }],
    ["a proof that is not spoken here", { client_id: "c1", token_endpoint_auth_method: "tls_client_auth" }],
    [
      "such a proof beside a secret",
      { client_id: "c1", client_secret: "s", token_endpoint_auth_method: "private_key_jwt" },
    ],
  ];
  for (const [name, body] of useless) {
    it(`takes no client from ${name}`, () => {
      assert.equal(read(body).kind, "unusable");
    });
  }

  // Duty: 16.4.5
  it("tells why a server refused, in clean words", () => {
    const body = { error: "invalid_redirect_uri", error_description: "not\u202e\nhere" };
    assert.deepEqual(read(body, { status: 400 }), {
      kind: "refused",
      error: "invalid_redirect_uri",
      description: "not here",
    });
    for (const odd of ["<html>", "[]", "", '{"error":7}'])
      assert.deepEqual(read(odd, { status: 403 }), {
        kind: "refused",
        error: "it does not say why",
        description: "",
      });
    assert.equal(read({ client_id: "c1" }, { status: 302 }).kind, "refused");
    assert.equal(read({ client_id: "c1" }, { status: 500 }).kind, "refused");
  });
});
