import assert from "node:assert/strict";
import type { AuthSettings, ClientAuthMethod } from "../../../../src/auth/model/authSettings.ts";
import { chooseAuthMethod } from "../../../../src/auth/registration/chooseAuthMethod.ts";
import { createAskedClient } from "../../../../src/auth/registration/createAskedClient.ts";
import { wishAuthMethod } from "../../../../src/auth/registration/registrationRequest.ts";
import { makeIssuer, makeSettings } from "../../../support/authFixtures.ts";
import { failsWith } from "../../../support/failsWith.ts";

type Offered = readonly ClientAuthMethod[] | undefined;

const issuerWith = (offered: Offered): ReturnType<typeof makeIssuer> =>
  makeIssuer(offered === undefined ? {} : { tokenAuthMethods: offered });
const settingsWith = (clientAuthMethod: ClientAuthMethod | undefined): AuthSettings =>
  makeSettings(clientAuthMethod === undefined ? {} : { clientAuthMethod });

describe("chooseAuthMethod", () => {
  const choose = (offered: Offered, has: string, configured?: ClientAuthMethod): ClientAuthMethod =>
    chooseAuthMethod(settingsWith(configured), issuerWith(offered), {
      secret: has === "secret",
      key: has === "key",
    });

  const rows: readonly [offered: Offered, has: string, method: ClientAuthMethod][] = [
    [undefined, "nothing", "none"],
    [["client_secret_basic"], "nothing", "none"],
    [undefined, "secret", "client_secret_basic"],
    [["client_secret_post", "client_secret_basic"], "secret", "client_secret_basic"],
    [["client_secret_post", "none"], "secret", "client_secret_post"],
    [undefined, "key", "private_key_jwt"],
    [["private_key_jwt", "client_secret_basic"], "key", "private_key_jwt"],
  ];
  for (const [offered, has, method] of rows) {
    // Duty: 16.4.10
    it(`is ${method} with ${has}, where ${offered?.join(" and ") ?? "nothing"} is offered`, () => {
      assert.equal(choose(offered, has), method);
    });
  }

  it("follows the settings, also where the server does not announce that", () => {
    assert.equal(choose(["client_secret_basic"], "secret", "client_secret_post"), "client_secret_post");
    assert.equal(choose([], "key", "private_key_jwt"), "private_key_jwt");
  });

  it("never leaves out in silence what the client has", async () => {
    const error = await failsWith("auth-method-unsupported", () => choose(["none"], "secret"));
    assert.match(error.message, /a secret.*none/);
    await failsWith("auth-method-unsupported", () => choose([], "secret"));
    await failsWith("auth-method-unsupported", () => choose(["client_secret_basic"], "key"));
  });
});

describe("createAskedClient", () => {
  // Duty: 16.4.4
  it("has no proof without a secret, and uses the one that was typed in", () => {
    const create = (answer: { id: string; secret?: string }): unknown =>
      createAskedClient(makeSettings(), issuerWith(["client_secret_post"]), answer);
    assert.deepEqual(create({ id: "typed" }), { kind: "asked", id: "typed", authMethod: "none" });
    assert.deepEqual(create({ id: "typed", secret: "" }), { kind: "asked", id: "typed", authMethod: "none" });
    assert.deepEqual(create({ id: "typed", secret: "s3cret" }), {
      kind: "asked",
      id: "typed",
      authMethod: "client_secret_post",
      secret: "s3cret",
    });
  });
});

describe("wishAuthMethod", () => {
  const rows: readonly [offered: Offered, method: ClientAuthMethod][] = [
    [undefined, "none"],
    [["client_secret_basic", "none"], "none"],
    [["client_secret_post", "client_secret_basic"], "client_secret_basic"],
    [["client_secret_post"], "client_secret_post"],
    [["private_key_jwt"], "none"],
    [[], "none"],
  ];
  for (const [offered, method] of rows) {
    it(`is ${method} where ${offered?.join(" and ") ?? "nothing"} is offered`, () => {
      assert.equal(wishAuthMethod(settingsWith(undefined), issuerWith(offered)), method);
    });
  }

  it("is what the settings say", () => {
    const wish = wishAuthMethod(settingsWith("client_secret_post"), issuerWith(["none"]));
    assert.equal(wish, "client_secret_post");
  });
});
