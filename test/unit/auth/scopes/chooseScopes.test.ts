import assert from "node:assert/strict";
import type { AuthSettings } from "../../../../src/auth/model/authSettings.ts";
import type { ScopeChoice } from "../../../../src/auth/model/facts.ts";
import { chooseScopes } from "../../../../src/auth/scopes/chooseScopes.ts";
import { makeIssuer, makeResource, makeSettings } from "../../../support/authFixtures.ts";

interface Case {
  readonly command?: readonly string[];
  readonly settings?: Partial<AuthSettings>;
  readonly challenge?: readonly string[];
  readonly resource?: readonly string[];
  readonly server?: readonly string[];
}

function choose({ command, settings = {}, challenge, resource, server }: Case): ScopeChoice {
  return chooseScopes({
    command,
    settings: makeSettings(settings),
    challenge: challenge === undefined ? undefined : { scheme: "bearer", scopes: challenge },
    resource: makeResource(resource === undefined ? {} : { scopes: resource }),
    issuer: makeIssuer(server === undefined ? {} : { scopes: server }),
  });
}

describe("chooseScopes", () => {
  const all: Case = {
    command: ["c"],
    settings: { scopes: ["s"], useServerScopes: true },
    challenge: ["h"],
    resource: ["r"],
    server: ["a"],
  };
  const without = (...keys: (keyof Case)[]): Case => {
    const left = Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key as keyof Case)));
    return keys.includes("settings") ? { ...left, settings: { useServerScopes: true } } : left;
  };
  const rows: readonly [name: string, facts: Case, scopes: readonly string[], source: string][] = [
    ["of the command", all, ["c"], "command"],
    ["of the settings", without("command"), ["s"], "settings"],
    ["of the challenge", without("command", "settings"), ["h"], "challenge"],
    ["of the resource", without("command", "settings", "challenge"), ["r"], "resource"],
    [
      "of the server, where that is allowed",
      without("command", "settings", "challenge", "resource"),
      ["a"],
      "server",
    ],
    ["none", {}, [], "none"],
    ["none rather than the server's own list", { server: ["a"] }, [], "none"],
    ["none that the command wants", { ...all, command: [] }, [], "command"],
    ["none that the settings want", { settings: { scopes: [] }, challenge: ["h"] }, [], "settings"],
  ];
  for (const [name, facts, scopes, source] of rows) {
    // Duty: 16.5.1
    it(`takes those ${name}`, () => {
      const choice = choose(facts);
      assert.deepEqual([choice.scopes, choice.source, choice.offline], [scopes, source, false]);
    });
  }

  it("leaves out of the server's list what is about the person", () => {
    const server = ["openid", "profile", "email", "address", "phone", "t:read"];
    const settings = { useServerScopes: true };
    assert.deepEqual(choose({ settings, server }).scopes, ["t:read"]);
    assert.deepEqual(choose({ settings, server: server.slice(0, 5) }), {
      scopes: [],
      source: "none",
      offline: false,
    });
    assert.deepEqual(choose({ settings, server, resource: ["openid", "x"] }).scopes, ["openid", "x"]);
  });

  it("asks for a refresh token where the server lists that, with scopes that were found", () => {
    const server = ["a", "offline_access"];
    for (const found of [{ challenge: ["h"] }, { resource: ["h"] }])
      assert.deepEqual(choose({ ...found, server }), {
        scopes: ["h", "offline_access"],
        source: "challenge" in found ? "challenge" : "resource",
        offline: true,
      });
    assert.deepEqual(choose({ settings: { useServerScopes: true }, server }).scopes, ["a", "offline_access"]);
    assert.deepEqual(choose({ resource: ["offline_access", "r"], server }).scopes, ["r", "offline_access"]);
  });

  it("never adds to what a person wrote, nor to nothing", () => {
    const server = ["offline_access"];
    assert.deepEqual(choose({ command: ["c"], server }).scopes, ["c"]);
    assert.deepEqual(choose({ settings: { scopes: ["s"] }, server }).scopes, ["s"]);
    assert.deepEqual(choose({ server }).scopes, []);
    assert.deepEqual(choose({ settings: { useServerScopes: true }, server }).scopes, []);
    const grant = { kind: "client_credentials" } as const;
    assert.deepEqual(choose({ settings: { grant }, resource: ["r"], server }).scopes, ["r"]);
  });

  it("never takes from what a person wrote", () => {
    const scopes = ["openid", "offline_access", "s"];
    assert.deepEqual(choose({ command: scopes }), { scopes, source: "command", offline: false });
    assert.deepEqual(choose({ settings: { scopes } }).scopes, scopes);
  });

  // Attack: 63
  // Duty: 16.5.5
  it("never asks for offline_access where the server does not list it", () => {
    for (const server of [undefined, [], ["a"]]) {
      const list = server === undefined ? {} : { server };
      assert.deepEqual(choose({ challenge: ["h", "offline_access"], ...list }).scopes, ["h"]);
      assert.deepEqual(choose({ resource: ["offline_access", "r"], ...list }).scopes, ["r"]);
      assert.deepEqual(choose({ challenge: ["offline_access"], ...list }).scopes, []);
    }
  });
});
