import assert from "node:assert/strict";

import { readAddressRanges } from "../../../src/net/addressRanges.ts";

describe("readAddressRanges", () => {
  const ranges = readAddressRanges(["198.18.0.0/15", " fc00::/18 ", "10.1.2.3/32"]);

  for (const address of ["198.18.0.0", "198.19.255.255", "::ffff:198.18.0.1", "fc00:1::1", "10.1.2.3"]) {
    it(`holds ${address}`, () => assert.equal(ranges.includes(address), true));
  }
  for (const address of [
    "198.17.255.255",
    "198.20.0.0",
    "fc00:4000::1",
    "10.1.2.4",
    "::1",
    "",
    "name.test",
  ]) {
    it(`does not hold “${address}”`, () => assert.equal(ranges.includes(address), false));
  }

  it("says what is no range, and takes nothing for everything", () => {
    const odd = readAddressRanges(["", "  ", "198.18.0.1", "198.18.0.0/40", "name/8", "/0", "::/129"]);
    assert.deepEqual(odd.unreadable, ["198.18.0.1", "198.18.0.0/40", "name/8", "/0", "::/129"]);
    assert.equal(odd.isEmpty, true);
    assert.equal(odd.includes("198.18.0.1"), false);
    assert.equal(readAddressRanges(["0.0.0.0/0"]).isEmpty, false);
  });
});
