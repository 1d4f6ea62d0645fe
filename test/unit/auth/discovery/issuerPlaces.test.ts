import assert from "node:assert/strict";
import { listIssuerPlaces } from "../../../../src/auth/discovery/issuerPlaces.ts";

describe("listIssuerPlaces", () => {
  const rows: readonly [issuer: string, places: readonly string[]][] = [
    [
      "https://as.test",
      [
        "https://as.test/.well-known/oauth-authorization-server",
        "https://as.test/.well-known/openid-configuration",
      ],
    ],
    [
      "https://as.test/",
      [
        "https://as.test/.well-known/oauth-authorization-server",
        "https://as.test/.well-known/openid-configuration",
      ],
    ],
    [
      "https://as.test/tenant1/v2.0",
      [
        "https://as.test/.well-known/oauth-authorization-server/tenant1/v2.0",
        "https://as.test/.well-known/openid-configuration/tenant1/v2.0",
        "https://as.test/tenant1/v2.0/.well-known/openid-configuration",
      ],
    ],
    [
      "https://as.test:8443/t/",
      [
        "https://as.test:8443/.well-known/oauth-authorization-server/t",
        "https://as.test:8443/.well-known/openid-configuration/t",
        "https://as.test:8443/t/.well-known/openid-configuration",
      ],
    ],
    [
      "https://as.test//evil.test",
      [
        "https://as.test/.well-known/oauth-authorization-server//evil.test",
        "https://as.test/.well-known/openid-configuration//evil.test",
        "https://as.test//evil.test/.well-known/openid-configuration",
      ],
    ],
  ];
  for (const [issuer, places] of rows) {
    // Duty: 16.3.1
    it(`looks for ${issuer} in the order of the specification, and on its host alone`, () => {
      assert.deepEqual(
        listIssuerPlaces(new URL(issuer)).map(({ href }) => href),
        places,
      );
    });
  }
});
