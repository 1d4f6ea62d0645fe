import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { JsonObject } from "../../../src/base/json.ts";
import type { Report } from "../../../src/cli/report.ts";
import { GuardedServer, withToken } from "../../support/guardedServer.ts";
import { json, startTokenServer, type TokenServer } from "../../support/tokenServer.ts";

interface Ended {
  readonly code: number | null;
  readonly report: Report;
  readonly err: string;
}

describe("the command line at a server that wants authorization", () => {
  let server: GuardedServer;
  let authority: TokenServer;
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "signalbox-cli-"));
    authority = await startTokenServer();
    authority.documents.set("/.well-known/oauth-authorization-server", {
      issuer: authority.origin,
      token_endpoint: `${authority.origin}/token`,
      grant_types_supported: ["client_credentials"],
    });
    server = await GuardedServer.start("modern", (exchange, about) => {
      if (exchange.request.path !== "/.well-known/oauth-protected-resource/mcp")
        return withToken("token-1")(exchange, about);
      exchange.json(200, { resource: server.url, authorization_servers: [authority.origin] });
      return "answered";
    });
    server.challenge = "Bearer";
  });

  afterEach(async () => {
    await server.close();
    await authority.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(oauth: JsonObject | false, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const config = join(folder, "servers.json");
    writeFileSync(config, JSON.stringify({ servers: { s: { url: server.url, oauth } } }));
    const args = [resolve("dist/cli.mjs"), "tools", "s", "--config", config, "--format", "json", "--verbose"];
    return new Promise((done) => {
      const options = { env: { ...process.env, ...env } };
      const child = execFile(process.execPath, args, options, (_error, out, err) => {
        done({ code: child.exitCode, report: JSON.parse(out) as Report, err });
      });
    });
  }

  it("gets tokens without a person where the settings say how, and shows none of it", async () => {
    authority.replies.push(json(200, { access_token: "token-1", token_type: "Bearer", expires_in: 60 }));
    const oauth = {
      grant: "client_credentials",
      issuer: authority.origin,
      clientId: "reports",
      clientSecret: "${secret:client}",
    };
    const { code, report, err } = await run(oauth, { SIGNALBOX_SECRET_CLIENT: "secret-of-the-client" });
    assert.equal(report.error, null);
    assert.equal(code, 0);
    assert.equal(report.tools?.length, 1);
    assert.equal(authority.last.form["grant_type"], "client_credentials");
    assert.equal(authority.last.form["resource"], server.url);
    assert.doesNotMatch(err, /secret-of-the-client|token-1/);
    assert.match(err, /info /);
  });

  it("signs nobody in, and says what can be done", async () => {
    const { code, report } = await run({});
    assert.equal(code, 1);
    assert.equal(report.error?.code, "sign-in-needed");
    assert.match(report.error.message, /“s” wants you to sign in/);
    assert.match(report.error.remedy ?? "", /signs nobody in.*\$\{secret:NAME\}/);
    assert.deepEqual(server.refused, ["server/discover"]);
    assert.deepEqual(authority.paths, []);
  });

  it("says what is wrong with settings that cannot be used, as a mistake in the file", async () => {
    const { code, report } = await run({ grant: "client_credentials", clientId: "reports" });
    assert.equal(report.error?.code, "bad-settings", JSON.stringify(report.error));
    assert.equal(code, 2);
    assert.equal(report.error.source, "client");
  });
});
