import assert from "node:assert/strict";
import type { ClientFacts, IssuerFacts } from "../../../../src/auth/model/facts.ts";
import { checkSecretTarget } from "../../../../src/auth/registration/checkSecretTarget.ts";
import { makeIssuer, makeSettings } from "../../../support/authFixtures.ts";
import { failsWith } from "../../../support/failsWith.ts";

const OWN = "https://as.test/token";
const OTHER = "https://tokens.test/token";

const confidential: ClientFacts = {
  kind: "preregistered",
  id: "mine",
  authMethod: "client_secret_basic",
  secret: "s3cret",
};

describe("checkSecretTarget", () => {
  const check = (
    client: ClientFacts,
    tokenEndpoint: string,
    {
      pinned,
      endpoint,
      issuer = {},
    }: { pinned?: string; endpoint?: string; issuer?: Partial<IssuerFacts> } = {},
  ): void => {
    const overrides = { issuer: "https://as.test", ...(pinned !== undefined && { tokenEndpoint: pinned }) };
    checkSecretTarget(
      makeSettings({ overrides }),
      makeIssuer({ tokenEndpoint, ...issuer }),
      client,
      endpoint,
    );
  };

  it("lets a secret go to the origin of its issuer", () => {
    check(confidential, OWN);
    check(confidential, OWN, { endpoint: "https://as.test/par" });
    check(confidential, "https://as.test:443/t", {});
  });

  // Attack: 21
  it("lets a secret or a key of a person go nowhere else", async () => {
    const kinds: readonly ClientFacts[] = [
      confidential,
      { ...confidential, authMethod: "client_secret_post" },
      { kind: "preregistered", id: "mine", authMethod: "private_key_jwt" },
      { kind: "cimd", id: "https://client.test/meta.json", authMethod: "private_key_jwt" },
      { ...confidential, kind: "asked" },
    ];
    for (const client of kinds) {
      const error = await failsWith("secret-cross-origin", () => check(client, OTHER));
      assert.doesNotMatch(`${error.message} ${String(error.detail)}`, /s3cret/);
      await failsWith("secret-cross-origin", () => check(client, "https://as.test:8443/token"));
      await failsWith("secret-cross-origin", () => check(client, "http://as.test/token"));
      await failsWith("secret-cross-origin", () => check(client, OWN, { endpoint: "https://par.test/par" }));
    }
  });

  it("lets it go to exactly the token endpoint that the settings name", async () => {
    check(confidential, OTHER, { pinned: OTHER });
    check(confidential, OTHER, { pinned: OTHER, endpoint: "https://tokens.test/revoke" });
    for (const pinned of [`${OTHER}/`, "https://tokens.test", "https://tokens.test/TOKEN"])
      await failsWith("secret-cross-origin", () => check(confidential, OTHER, { pinned }));
    await failsWith("secret-cross-origin", () =>
      check(confidential, OTHER, { pinned: OTHER, endpoint: "https://revoke.test/" }),
    );
  });

  // Attack: 22
  it("does not follow metadata that moves the token endpoint away", async () => {
    check(confidential, OTHER, { pinned: OTHER });
    const moved = "https://evil.test/token";
    await failsWith("secret-cross-origin", () => check(confidential, moved, { pinned: OTHER }));
    await failsWith("secret-cross-origin", () =>
      check(confidential, moved, { pinned: OTHER, endpoint: OTHER }),
    );
  });

  it("sends a secret that the server gave itself where its metadata says", async () => {
    const registered: ClientFacts = { ...confidential, kind: "dcr" };
    check(registered, OTHER);
    check(registered, OTHER, { endpoint: "https://tokens.test/revoke" });
    await failsWith("secret-cross-origin", () =>
      check(registered, OTHER, { endpoint: "https://elsewhere.test/revoke" }),
    );
  });

  it("has nothing to say about clients without a proof", () => {
    check({ kind: "dcr", id: "c1", authMethod: "none" }, OTHER);
    check({ ...confidential, authMethod: "none" }, OTHER);
  });
});
