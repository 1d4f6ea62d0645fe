import assert from "node:assert/strict";
import { guessIssuer, guessResource } from "../../../../src/auth/discovery/guessEndpoints.ts";
import type { AuthSettings } from "../../../../src/auth/model/authSettings.ts";
import { makeSettings } from "../../../support/authFixtures.ts";

function settings(guessEndpoints: boolean | undefined): AuthSettings {
  const endpoint = new URL("https://mcp.example/v1/mcp?tenant=1");
  return makeSettings({ endpoint, ...(guessEndpoints === undefined ? {} : { guessEndpoints }) });
}

const issuerOf = (allowed: boolean | undefined, issuer: string) =>
  guessIssuer(settings(allowed), issuer, "https://mcp.example/looked");

describe("guessed endpoints of MCP 2025-03-26", () => {
  it("are never used unless a revision that old is allowed", () => {
    for (const allowed of [undefined, false]) {
      assert.equal(guessResource(settings(allowed)), undefined);
      assert.equal(issuerOf(allowed, "https://mcp.example"), undefined);
    }
  });

  it("take the host of the server for its authorization server", () => {
    assert.deepEqual(guessResource(settings(true)), {
      resource: "https://mcp.example/v1/mcp",
      authorizationServers: ["https://mcp.example"],
      dpopRequired: false,
      how: "guessed",
    });
    const { authorizationEndpoint, tokenEndpoint, registrationEndpoint, pkce } =
      issuerOf(true, "https://mcp.example") ?? assert.fail();
    assert.deepEqual(
      [authorizationEndpoint, tokenEndpoint, registrationEndpoint, pkce],
      [
        "https://mcp.example/authorize",
        "https://mcp.example/token",
        "https://mcp.example/register",
        "assumed",
      ],
    );
  });

  it("are guessed for no other host", () => {
    for (const issuer of ["https://other.example", "https://mcp.example/", "https://mcp.example/v1"])
      assert.equal(issuerOf(true, issuer), undefined);
  });
});
