import assert from "node:assert/strict";
import { checkAuthSettings } from "../../../src/auth/checkAuthSettings.ts";
import { makeSettings } from "../../support/authFixtures.ts";
import { failsWith } from "../../support/failsWith.ts";

type Changes = NonNullable<Parameters<typeof makeSettings>[0]>;

const DOCUMENT = "https://client.test/meta.json";
const pin = { issuer: "https://as.test" };
const grants = {
  credentials: { kind: "client_credentials" },
  workload: { kind: "workload", assertion: "jwt" },
  enterprise: { kind: "enterprise", idpIssuer: "https://idp.test", idpClientId: "me", idToken: "jwt" },
} as const;

describe("checkAuthSettings", () => {
  const good: readonly [name: string, changes: Changes][] = [
    ["nothing at all", {}],
    ["a client without a secret", { clientId: "mine" }],
    ["a client with a secret for one server", { clientId: "mine", clientSecret: "s", overrides: pin }],
    ["a client with a key for one server", { clientId: "mine", clientKey: "k", overrides: pin }],
    ["a metadata document", { registration: "cimd", clientMetadataUrl: DOCUMENT }],
    ["a metadata document of its own", { registration: "cimd", clientId: DOCUMENT }],
    [
      "a metadata document and a key",
      { registration: "cimd", clientMetadataUrl: DOCUMENT, clientKey: "k", overrides: pin },
    ],
    ["registration with a secret", { registration: "dcr", clientAuthMethod: "client_secret_post" }],
    ["no scopes", { scopes: [] }],
    [
      "all overrides",
      {
        overrides: {
          ...pin,
          resource: "https://mcp.test",
          tokenEndpoint: "https://t.test/token",
          assumePkceS256: true,
        },
      },
    ],
    ["a resource alone", { overrides: { resource: "https://mcp.test" } }],
    [
      "client credentials",
      { grant: grants.credentials, clientId: "mine", clientSecret: "s", overrides: pin },
    ],
    ["a workload that its assertion alone names", { grant: grants.workload }],
    ["a workload", { grant: grants.workload }],
    ["a workload with a client", { grant: grants.workload, clientId: "mine" }],
    [
      "a workload with a document",
      { grant: grants.workload, registration: "cimd", clientMetadataUrl: DOCUMENT },
    ],
    ["an enterprise", { grant: grants.enterprise, clientId: "mine" }],
  ];
  for (const [name, changes] of good) {
    it(`takes ${name}`, () => {
      checkAuthSettings(makeSettings(changes));
    });
  }

  const bad: readonly [changes: Changes, problem: RegExp][] = [
    [{ clientId: "mine", clientSecret: "s3cret" }, /“clientSecret” needs “issuer”/],
    [{ clientId: "mine", clientKey: "s3cret" }, /“clientKey” needs “issuer”/],
    [{ overrides: { assumePkceS256: true } }, /“assumePkceS256” needs “issuer”/],
    [{ overrides: { tokenEndpoint: "https://t.test/token" } }, /“tokenEndpoint” needs “issuer”/],
    [{ overrides: { issuer: "as.test" } }, /“issuer”: it is not an absolute/],
    [{ overrides: { issuer: "http://as.test" } }, /“issuer”: it is not https/],
    [{ overrides: { issuer: "https://as.test?x" } }, /“issuer”: it has a query/],
    [{ overrides: { resource: "https://mcp.test#x" } }, /“resource”: it has a fragment/],
    [{ overrides: { ...pin, tokenEndpoint: "http://t.test/token" } }, /“tokenEndpoint”: it is not https/],
    [{ scopes: ["a b"] }, /“scopes”/],
    [{ scopes: [""] }, /“scopes”/],
    [{ redirectPort: 0 }, /“redirectPort”/],
    [{ redirectPort: 65_536 }, /“redirectPort”/],
    [{ registration: "preregistered" }, /needs “clientId”/],
    [{ registration: "dcr", clientId: "mine" }, /leave “clientId” out/],
    [{ registration: "cimd", clientId: "mine" }, /client metadata document/],
    [
      { registration: "cimd", clientId: DOCUMENT, clientSecret: "s3cret", overrides: pin },
      /no “clientSecret”/,
    ],
    [{ clientSecret: "s3cret", overrides: pin }, /“clientSecret” needs “clientId”/],
    [{ clientKey: "s3cret", overrides: pin }, /“clientKey” needs “clientId”/],
    [{ clientId: "mine\n" }, /visible ASCII/],
    [{ clientId: "" }, /visible ASCII/],
    [{ clientId: "mine", clientSecret: "s3crét", overrides: pin }, /“clientSecret” may hold visible ASCII/],
    [{ clientId: "mine", clientSecret: "s3cret", clientAuthMethod: "none", overrides: pin }, /“none”/],
    [{ clientId: "mine", clientAuthMethod: "private_key_jwt" }, /needs “clientKey”/],
    [{ registration: "dcr", clientAuthMethod: "private_key_jwt" }, /needs “clientKey”/],
    [{ clientId: "mine", clientAuthMethod: "client_secret_post" }, /needs “clientSecret”/],
    [{ registration: "cimd", clientAuthMethod: "client_secret_post" }, /needs “clientSecret”/],
    [
      {
        clientId: "mine",
        clientSecret: "s",
        clientKey: "s3cret",
        clientAuthMethod: "client_secret_post",
        overrides: pin,
      },
      /does not use “clientKey”/,
    ],
    [{ grant: grants.credentials }, /needs “clientId”/],
    [{ grant: grants.credentials, registration: "cimd", clientMetadataUrl: DOCUMENT }, /need “clientId”/],
    [{ grant: grants.credentials, clientId: "mine" }, /“clientSecret” or “clientKey”/],
    [{ grant: grants.enterprise }, /needs “clientId”/],
    [{ grant: grants.workload, registration: "dcr" }, /cannot be “dcr”/],
    [{ grant: { ...grants.workload, assertion: "" }, clientId: "mine" }, /assertion.* empty/],
    [{ grant: { ...grants.enterprise, idpIssuer: "idp" }, clientId: "mine" }, /“idpIssuer”/],
    [
      { grant: { ...grants.enterprise, idpTokenEndpoint: "http://idp.test/t" }, clientId: "mine" },
      /“idpTokenEndpoint”/,
    ],
    [{ grant: { ...grants.enterprise, idpClientId: "" }, clientId: "mine" }, /“idpClientId”/],
    [{ grant: { ...grants.enterprise, idToken: "" }, clientId: "mine" }, /identity token/],
  ];
  for (const [changes, problem] of bad) {
    it(`refuses ${JSON.stringify(changes).slice(0, 90)}`, async () => {
      const error = await failsWith("bad-settings", () => checkAuthSettings(makeSettings(changes)));
      assert.match(error.message, problem);
      assert.doesNotMatch(error.message, /s3cr/);
    });
  }

  // Attack: 90
  it("refuses a secret that cannot be sent as it is, in words that say so", async () => {
    const changes = { clientId: "mine", clientSecret: "p:%+ /é", overrides: pin };
    const error = await failsWith("bad-settings", () => checkAuthSettings(makeSettings(changes)));
    assert.match(error.message, /“clientSecret” may hold visible ASCII characters only/);
    checkAuthSettings(makeSettings({ ...changes, clientSecret: "p:%+ /" }));
  });
});
