import assert from "node:assert/strict";
import type { AuthSettings } from "../../../../src/auth/model/authSettings.ts";
import type { ClientFacts, IssuerFacts } from "../../../../src/auth/model/facts.ts";
import { chooseClient, type ClientChoice } from "../../../../src/auth/registration/chooseClient.ts";
import { makeIssuer, makeSettings } from "../../../support/authFixtures.ts";
import { failsWith } from "../../../support/failsWith.ts";

const LOOPBACK = "http://127.0.0.1:4711/callback";
const REMOTE = "https://code.test/proxy/4711/callback";
const DOCUMENT = "https://client.test/meta.json";
const REGISTER = "https://as.test/register";
const BOTH = makeIssuer({ takesMetadataClients: true, registrationEndpoint: REGISTER });
const NEITHER = makeIssuer();

interface Case {
  readonly settings?: Partial<AuthSettings>;
  readonly issuer?: IssuerFacts;
  readonly before?: { readonly issuer: string; readonly client: ClientFacts };
  readonly redirectUri?: string;
  readonly nowMs?: number;
}

function choose({
  settings = {},
  issuer = BOTH,
  before,
  redirectUri = LOOPBACK,
  nowMs = 0,
}: Case): ClientChoice {
  const earlier =
    before === undefined ? undefined : { issuer: { issuer: before.issuer }, client: before.client };
  return chooseClient(makeSettings(settings), issuer, earlier, redirectUri, nowMs);
}

/** The choice in one word, or the client's kind and id. */
function show(facts: Case): string {
  const choice = choose(facts);
  return choice.kind === "use" ? `${choice.client.kind} ${choice.client.id}` : choice.kind;
}

const withDcr = makeIssuer({ registrationEndpoint: REGISTER });
const asked: ClientFacts = { kind: "asked", id: "typed", authMethod: "none" };

describe("chooseClient", () => {
  // The order of the specification: configured, metadata document, registration, asking.
  const rows: readonly [name: string, facts: Case, shown: string][] = [
    [
      "a client of the settings",
      { settings: { clientId: "mine", clientMetadataUrl: DOCUMENT } },
      "preregistered mine",
    ],
    ["a metadata document", { settings: { clientMetadataUrl: DOCUMENT } }, `cimd ${DOCUMENT}`],
    ["registration without a document", {}, "register"],
    [
      "registration where documents are not taken",
      { settings: { clientMetadataUrl: DOCUMENT }, issuer: withDcr },
      "register",
    ],
    [
      "registration where the document is none",
      { settings: { clientMetadataUrl: "http://client.test/x" } },
      "register",
    ],
    [
      "registration for an address that no document can list",
      { settings: { clientMetadataUrl: DOCUMENT }, redirectUri: REMOTE },
      "register",
    ],
    [
      "a document of the settings' own",
      { settings: { clientId: "https://own.test/client.json", clientMetadataUrl: DOCUMENT } },
      "cimd https://own.test/client.json",
    ],
    [
      "an id that is an address, where documents are not taken",
      { settings: { clientId: "https://own.test/client.json" }, issuer: withDcr },
      "preregistered https://own.test/client.json",
    ],
  ];
  for (const [name, facts, shown] of rows) {
    // Duty: 16.4.1
    it(`takes ${name}`, () => {
      assert.equal(show(facts), shown);
    });
  }

  // Duty: 16.4.1
  it("asks the person when nothing else is possible, and takes the answer of before", () => {
    assert.equal(show({ issuer: NEITHER }), "ask");
    assert.equal(show({ issuer: NEITHER, settings: { clientMetadataUrl: DOCUMENT } }), "ask");
    assert.equal(show({ issuer: NEITHER, before: { issuer: NEITHER.issuer, client: asked } }), "asked typed");
    assert.equal(show({ issuer: NEITHER, before: { issuer: "https://other.test", client: asked } }), "ask");
  });

  // Attack: 85
  it("never swaps a forced metadata document for a registration", async () => {
    const settings = { registration: "cimd", clientMetadataUrl: DOCUMENT } as const;
    assert.equal(show({ settings }), `cimd ${DOCUMENT}`);
    assert.equal(show({ settings, redirectUri: REMOTE }), `cimd ${DOCUMENT}`);
    const error = await failsWith("registration-unsupported", () => choose({ settings, issuer: withDcr }));
    assert.match(error.message, /“cimd”/);
    await failsWith("no-client-metadata-url", () => choose({ settings: { registration: "cimd" } }));
  });

  // Attack: 86
  it("never swaps a forced registration for a metadata document", async () => {
    const settings = { registration: "dcr", clientMetadataUrl: DOCUMENT } as const;
    assert.equal(show({ settings }), "register");
    const cimdOnly = makeIssuer({ takesMetadataClients: true });
    await failsWith("registration-unsupported", () => choose({ settings, issuer: cimdOnly }));
  });

  it("never swaps a client that is registered already for anything", async () => {
    const settings = { registration: "preregistered", clientMetadataUrl: DOCUMENT } as const;
    assert.equal(show({ settings: { ...settings, clientId: "mine" } }), "preregistered mine");
    await failsWith("no-client", () => choose({ settings }));
  });

  it("takes no person's way for grants without a person", async () => {
    const grant = { kind: "workload", assertion: "jwt" } as const;
    assert.equal(show({ settings: { grant, clientId: "mine" }, redirectUri: "" }), "preregistered mine");
    assert.equal(
      show({ settings: { grant, clientMetadataUrl: DOCUMENT }, redirectUri: "" }),
      `cimd ${DOCUMENT}`,
    );
    await failsWith("no-client", () => choose({ settings: { grant }, redirectUri: "" }));
    await failsWith("no-client", () => choose({ settings: { grant }, issuer: NEITHER, redirectUri: "" }));
    await failsWith("registration-unsupported", () =>
      choose({ settings: { grant, registration: "dcr" }, redirectUri: "" }),
    );
  });

  it("says how the client proves itself", () => {
    const clientOf = (settings: Partial<AuthSettings>, issuer = NEITHER): ClientFacts | undefined => {
      const choice = choose({ settings, issuer });
      return choice.kind === "use" ? choice.client : undefined;
    };
    assert.deepEqual(clientOf({ clientId: "mine" }), {
      kind: "preregistered",
      id: "mine",
      authMethod: "none",
    });
    assert.deepEqual(clientOf({ clientId: "mine", clientSecret: "s3cret" }), {
      kind: "preregistered",
      id: "mine",
      authMethod: "client_secret_basic",
      secret: "s3cret",
    });
    assert.equal(clientOf({ clientId: "mine", clientKey: "{}" })?.authMethod, "private_key_jwt");
    const document = clientOf({ registration: "cimd", clientMetadataUrl: DOCUMENT, clientKey: "{}" }, BOTH);
    assert.deepEqual(document, { kind: "cimd", id: DOCUMENT, authMethod: "private_key_jwt" });
  });

  describe("with a client that was registered before", () => {
    const client: ClientFacts = { kind: "dcr", id: "old", authMethod: "none", redirectUri: LOOPBACK };
    const before = { issuer: withDcr.issuer, client };
    const show1 = (changes: Case): string => show({ issuer: withDcr, before, ...changes });

    it("takes it again", () => {
      assert.equal(show1({}), "dcr old");
      assert.equal(show1({ settings: { registration: "dcr" } }), "dcr old");
    });

    // Attack: 55
    // Duty: 16.2.5
    it("never shows it to another authorization server", () => {
      assert.equal(show1({ before: { ...before, issuer: "https://as.test/" } }), "register");
      assert.equal(show1({ before: { ...before, issuer: "https://evil.test" } }), "register");
    });

    it("registers anew for another redirect address", () => {
      assert.equal(show1({ redirectUri: "http://127.0.0.1:4712/callback" }), "register");
      assert.equal(show1({ redirectUri: REMOTE }), "register");
    });

    // Attack: 87
    it("registers anew when its secret has expired", () => {
      const expiring = { ...client, secret: "s3cret", secretExpiresAtMs: 5_000 };
      assert.equal(show1({ before: { ...before, client: expiring }, nowMs: 4_999 }), "dcr old");
      assert.equal(show1({ before: { ...before, client: expiring }, nowMs: 5_000 }), "register");
    });

    it("registers anew when the settings want another proof", () => {
      assert.equal(show1({ settings: { clientAuthMethod: "client_secret_post" } }), "register");
      assert.equal(show1({ settings: { clientAuthMethod: "none" } }), "dcr old");
    });

    it("leaves it for a better way, and takes no client of another kind", () => {
      assert.equal(show1({ settings: { clientId: "mine" } }), "preregistered mine");
      assert.equal(show1({ issuer: BOTH, settings: { clientMetadataUrl: DOCUMENT } }), `cimd ${DOCUMENT}`);
      assert.equal(show1({ issuer: NEITHER }), "ask");
      assert.equal(show1({ before: { ...before, client: asked } }), "register");
    });
  });
});
