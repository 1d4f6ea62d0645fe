import assert from "node:assert/strict";
import fc from "fast-check";

import { decodeRecord, encodeRecord } from "../../src/auth/store/record.ts";
import { BINDING, CREDENTIAL } from "../support/credentialFixtures.ts";
import { forAll } from "./support/forAll.ts";

const WHOLE = encodeRecord(CREDENTIAL, BINDING);

describe("any text in place of a record", () => {
  it("is no record", () => {
    forAll(fc.oneof(fc.string(), fc.json()), (text) => {
      assert.equal(decodeRecord(text, BINDING).kind, "unusable");
    });
  });

  // Attack: 52
  it("is no record, however little of a real one was changed", () => {
    const changes = fc.record({
      at: fc.nat(WHOLE.length - 1),
      removed: fc.nat(3),
      added: fc.string({ maxLength: 3, unit: "binary-ascii" }),
    });
    forAll(changes, ({ at, removed, added }) => {
      const text = WHOLE.slice(0, at) + added + WHOLE.slice(at + removed);
      const decoded = decodeRecord(text, BINDING);
      // A space between values is the same record.
      if (decoded.kind === "usable") assert.deepEqual(JSON.parse(text), JSON.parse(WHOLE));
    });
  });
});
