import assert from "node:assert/strict";
import { authorizationReport, authorizationText } from "../../../../src/host/auth/authorizationText.ts";
import { english } from "../panels/english.ts";
import { fakeReport } from "./signInFixture.ts";

const about = { extension: "1.2.3", editor: "Code 1.101.0" };

describe("the text about an authorization", () => {
  it("says resource, issuer, client, network, scopes, times, how it was found, and where it is kept", () => {
    const text = authorizationText(fakeReport(), english);
    for (const line of [
      "Status: Signed in",
      "Kept in: the editor's secret storage",
      "Resource: https://mcp.example.com/files",
      "Found: at the well-known address of its path",
      "Network: the internet",
      "Issuer: https://auth.example.com",
      "PKCE S256: announced",
      "Id: client-1",
      "Known there: registered there by this editor",
      "Redirect address: http://127.0.0.1:41737/callback",
      "Scopes asked for: files:read, files:write (the server asked for them)",
      "Granted scopes: files:read",
      "Can be renewed: yes",
    ])
      assert.ok(text.split("\n").includes(line), `${line}\n\n${text}`);
    assert.match(text, /^Token valid until: 20\d\d-\d\d-\d\d \d\d:\d\d$/m);
  });

  it("says what the user's settings decide", () => {
    const overrides = { assumePkceS256: true, fakeIpRanges: [], issuer: "https://pinned.example" };
    const text = authorizationText(fakeReport({ overrides }), english);
    assert.match(
      text,
      /Decided by your settings\n- Your settings name the authorization server: https:\/\/pinned\.example\n- Your settings take it for granted/,
    );
  });

  it("says before anything is known that the server asked for nothing", () => {
    const { authorization: _, ...rest } = fakeReport();
    const text = authorizationText({ ...rest, status: { kind: "none" } }, english);
    assert.match(text, /Status: The server asked for nothing so far/);
    assert.doesNotMatch(text, /Issuer/);
  });

  it("says what keeps the server from being used, which is what a report is for", () => {
    const problem = "The authorization server is gone.";
    assert.match(
      authorizationText(fakeReport(), english, problem),
      /^Problem: The authorization server is gone\.$/m,
    );
    assert.match(authorizationReport(fakeReport(), about, english, problem), /^Problem: The/m);
    assert.doesNotMatch(authorizationText(fakeReport(), english), /Problem/);
  });

  it("is a block of code in a report, which nothing inside can leave", () => {
    const report = fakeReport();
    assert.ok(report.authorization !== undefined);
    const grantedScopes = ["```", "````\n# heading"];
    const text = authorizationReport(
      { ...report, authorization: { ...report.authorization, grantedScopes } },
      about,
      english,
    );
    assert.ok(text.startsWith("`````text\nSignalbox 1.2.3, Code 1.101.0\n"));
    assert.ok(text.endsWith("\n`````\n"));
    assert.doesNotMatch(text, /^# heading/m);
  });
});
