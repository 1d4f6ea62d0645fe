import assert from "node:assert/strict";
import { pickIssuer } from "../../../../src/auth/discovery/pickIssuer.ts";
import { makeResource, makeSettings } from "../../../support/authFixtures.ts";
import { failsWith } from "../../../support/failsWith.ts";

const A = "https://a.test";
const B = "https://b.test";

describe("pickIssuer", () => {
  const pick = (
    listed: readonly string[],
    { pinned, before, clientId }: { pinned?: string; before?: string; clientId?: string } = {},
  ): unknown => {
    const settings = makeSettings({
      ...(clientId !== undefined && { clientId }),
      overrides: pinned === undefined ? {} : { issuer: pinned },
    });
    const picked = pickIssuer({ settings }, makeResource({ authorizationServers: listed }), before);
    return picked.kind === "issuer" ? picked.issuer : picked.issuers;
  };

  it("takes the only one", () => {
    assert.equal(pick([A]), A);
  });

  // Duty: 16.2.4
  it("leaves several to the person", () => {
    assert.deepEqual(pick([A, B]), [A, B]);
  });

  it("stays with that of before while it is named", () => {
    assert.equal(pick([A, B], { before: B }), B);
    assert.equal(pick([A], { before: B }), A);
    assert.deepEqual(pick([A, `${B}/`], { before: B }), [A, `${B}/`]);
  });

  it("takes that of the settings before all others", () => {
    assert.equal(pick([A, B], { pinned: B, before: A }), B);
    assert.equal(pick([], { pinned: B }), B);
  });

  it("refuses one of the settings that the server does not name", async () => {
    const error = await failsWith("issuer-not-listed", () => pick([A, B], { pinned: "https://c.test" }));
    assert.match(error.message, /https:\/\/c\.test .*https:\/\/a\.test, https:\/\/b\.test/);
  });

  // Attack: 3
  it("lets the settings mend a slash behind the host alone, and nothing else", async () => {
    assert.equal(pick([`${A}/`], { pinned: A }), A);
    assert.equal(pick([A], { pinned: `${A}/` }), `${A}/`);
    for (const [listed, pinned] of [
      [`${A}/t/`, `${A}/t`],
      [`${A}/t`, `${A}/t/`],
      [`${A}//`, `${A}/`],
      [`${A}:443`, A],
      ["HTTPS://A.test", A],
      ["https://A.test/", A],
      [`${A}/%2F`, `${A}//`],
    ] as const)
      await failsWith("issuer-not-listed", () => pick([listed], { pinned }));
  });

  // Attack: 56
  // Duty: 16.4.9
  it("takes no client of the settings to another authorization server than before", async () => {
    const error = await failsWith("issuer-changed", () => pick([B], { before: A, clientId: "mine" }));
    assert.match(error.message, /b\.test in place of https:\/\/a\.test/);
    assert.equal(pick([B], { before: A, clientId: "https://client.test/meta.json" }), B);
    assert.equal(pick([A], { before: A, clientId: "mine" }), A);
  });
});
