import assert from "node:assert/strict";
import { looksLikeSecret } from "../../../../src/host/panels/secretFields.ts";

const rows: readonly (readonly [name: string, title: string, expected: boolean])[] = [
  ["password", "Password", true],
  ["userPassword", "Yours", true],
  ["x", "API key", true],
  ["apiKey", "x", true],
  ["access_token", "x", true],
  ["cardNumber", "x", true],
  ["cvv", "x", true],
  ["pin", "x", true],
  ["userPin", "x", true],
  ["x", "请输入密码", true],
  ["region", "Region", false],
  ["shipping", "Shipping", false],
  ["pinned", "Pinned", false],
  ["passenger", "Passenger", false],
  ["keyboard", "Keyboard layout", false],
];

describe("looksLikeSecret", () => {
  for (const [name, title, expected] of rows) {
    // Duty: 10.2.7
    it(`${expected ? "warns of" : "lets pass"} ${name} “${title}”`, () => {
      assert.equal(looksLikeSecret({ kind: "text", name, title, required: false }), expected);
    });
  }

  it("does not warn of choices, which cannot hold a secret", () => {
    assert.equal(
      looksLikeSecret({ kind: "boolean", name: "password", title: "Reset password", required: false }),
      false,
    );
  });
});
