import assert from "node:assert/strict";

import type { ClientFacts } from "../../../../src/auth/model/facts.ts";
import { placeOfClient, randomPath, toRedirectUri } from "../../../../src/auth/signIn/redirectUri.ts";

const LOOPBACK = "http://127.0.0.1:41737/callback";

function client(redirectUri?: string): ClientFacts {
  return { kind: "dcr", id: "c", authMethod: "none", ...(redirectUri !== undefined && { redirectUri }) };
}

describe("the redirect URI", () => {
  it("is the listener's own where the editor knows no other", () => {
    assert.equal(toRedirectUri(LOOPBACK, LOOPBACK, "127.0.0.1"), LOOPBACK);
  });

  it("is what the editor forwards, exactly as it says, when that is https", () => {
    const external = "https://code.example/proxy/41737/callback?tkn=1";
    assert.equal(toRedirectUri(external, LOOPBACK, "127.0.0.1"), external);
  });

  it("keeps the host of the settings when a port of the browser's machine is forwarded", () => {
    const external = "http://localhost:50000/callback";
    assert.equal(toRedirectUri(external, LOOPBACK, "127.0.0.1"), "http://127.0.0.1:50000/callback");
    assert.equal(toRedirectUri(external, LOOPBACK, "localhost"), external);
  });

  // Duty: 16.6.6
  it("is never anything but https or this machine", () => {
    for (const external of [
      "http://code.example/proxy/41737/callback",
      "vscode://publisher.extension/callback",
      "https://user@code.example/callback",
      "https://code.example/callback#x",
      "https://code.example/elsewhere",
      "not an address",
    ])
      assert.equal(toRedirectUri(external, LOOPBACK, "127.0.0.1"), LOOPBACK, external);
  });
});

describe("where a client is answered", () => {
  // Duty: 16.4.3
  it("is where it was registered for", () => {
    const path = randomPath();
    assert.match(path, /^\/callback\/[\w-]{22}$/);
    assert.deepEqual(placeOfClient(client(`http://127.0.0.1:41737${path}`)), { port: 41737, path });
    assert.deepEqual(placeOfClient(client(LOOPBACK)), { port: 41737, path: "/callback" });
  });

  it("is found again behind what forwards a port", () => {
    const path = randomPath();
    const cases: readonly (readonly [string, number | undefined])[] = [
      ["https://code.example/proxy/41737", 41737],
      ["https://code.example:8443/user/12345/proxy/41737", 41737],
      ["https://silver-spoon-abc123def4-41737.app.github.dev", 41737],
      ["https://41737.code.example", 41737],
      ["http://127.0.0.1:45711/proxy/41737", 41737],
      ["https://code.example/proxy/99999", undefined],
      ["https://code.example/a4173", undefined],
      ["https://code.example", undefined],
    ];
    for (const [outside, port] of cases)
      assert.deepEqual(placeOfClient(client(`${outside}${path}`)), { port, path }, outside);
  });

  // Duty: 16.4.3
  it("is any port where a client was registered for none", () => {
    assert.deepEqual(placeOfClient(client()), { port: undefined, path: "/callback" });
  });
});
