import assert from "node:assert/strict";

import { readAddressRanges } from "../../../src/net/addressRanges.ts";
import { addressesByName, type HostVerdict, judgeAddresses } from "../../../src/net/hostZone.ts";

const NONE = readAddressRanges([]);

describe("addressesByName", () => {
  const rows: readonly [authority: string, zone: string][] = [
    ["127.0.0.1", "loopback"],
    ["2130706433", "loopback"],
    ["0177.0.0.1", "loopback"],
    ["0x7f000001", "loopback"],
    ["0x7f.1", "loopback"],
    ["127.1", "loopback"],
    ["１２７.0.0.1", "loopback"],
    ["①②⑦.0.0.1", "loopback"],
    ["127。0。0。1", "loopback"],
    ["127.0.0.1.", "loopback"],
    ["%31%32%37.0.0.1", "loopback"],
    ["localhost", "loopback"],
    ["LOCALHOST", "loopback"],
    ["localhost.", "loopback"],
    ["ｌocalhost", "loopback"],
    ["a.b.localhost", "loopback"],
    ["[::1]", "loopback"],
    ["[0:0::0:1]", "loopback"],
    ["[::ffff:7f00:1]", "loopback"],
    ["[::ffff:127.0.0.1]", "loopback"],
    ["167772161", "private"],
    ["0xa000001", "private"],
    ["012.0.0.1", "private"],
    ["[::ffff:10.0.0.1]", "private"],
    ["0xa9fea9fe", "link-local"],
    ["169.254.43518", "link-local"],
    ["[::ffff:a9fe:a9fe]", "link-local"],
    ["134744072", "public"],
    ["8.8.2056", "public"],
    ["[::ffff:808:808]", "public"],
    ["0", "blocked"],
    ["0x0", "blocked"],
    ["[::]", "blocked"],
    ["[64:ff9b::7f00:1]", "blocked"],
    ["[::7f00:1]", "blocked"],
    ["[2002:7f00:1::]", "blocked"],
    ["4294967295", "blocked"],
  ];
  for (const [authority, zone] of rows) {
    // Attack: 72
    it(`${authority} is ${zone} without asking anybody`, () => {
      const found = addressesByName(new URL(`https://${authority}/`).hostname);
      assert.ok(found !== undefined);
      assert.equal(found.isAnswer, false);
      const verdict = judgeAddresses(found, NONE);
      assert.equal(verdict.kind === "zone" ? verdict.zone : verdict.kind, zone);
    });
  }

  for (const authority of [
    "example.com",
    "localhost.example.com",
    "127.0.0.1.nip.io",
    "notlocalhost",
    "x.localhost.x",
  ]) {
    it(`${authority} has to be looked up`, () => {
      assert.equal(addressesByName(new URL(`https://${authority}/`).hostname), undefined);
    });
  }
});

describe("judgeAddresses", () => {
  const fake = readAddressRanges(["198.18.0.0/15", "fc00::/18", "127.0.0.0/8", "169.254.0.0/16"]);
  const answer = (...addresses: readonly string[]) => ({ addresses, isAnswer: true });
  const literal = (...addresses: readonly string[]) => ({ addresses, isAnswer: false });
  const rows: readonly [name: string, verdict: HostVerdict, expected: HostVerdict][] = [
    [
      "several in one zone",
      judgeAddresses(answer("8.8.8.8", "2606:4700::1"), NONE),
      { kind: "zone", zone: "public" },
    ],
    [
      "both of this machine",
      judgeAddresses(answer("127.0.0.1", "::1"), NONE),
      { kind: "zone", zone: "loopback" },
    ],
    ["public and private", judgeAddresses(answer("8.8.8.8", "10.0.0.1"), NONE), { kind: "mixed" }],
    ["private and loopback", judgeAddresses(answer("192.168.1.1", "::1"), NONE), { kind: "mixed" }],
    ["none", judgeAddresses(answer(), NONE), { kind: "nowhere" }],
    [
      "a blocked one among good ones",
      judgeAddresses(answer("8.8.8.8", "0.0.0.0"), NONE),
      { kind: "blocked", address: "0.0.0.0", isFake: false },
    ],
    [
      "a fake one that nobody told of",
      judgeAddresses(answer("198.18.3.4"), NONE),
      { kind: "blocked", address: "198.18.3.4", isFake: true },
    ],
    [
      "a fake one in the ranges",
      judgeAddresses(answer("198.18.3.4"), fake),
      { kind: "zone", zone: "public" },
    ],
    [
      "fake ones of both kinds",
      judgeAddresses(answer("198.18.3.4", "fc00::3"), fake),
      { kind: "zone", zone: "public" },
    ],
    [
      "a private one outside the ranges",
      judgeAddresses(answer("198.18.3.4", "10.0.0.1"), fake),
      { kind: "mixed" },
    ],
    [
      "a literal in the ranges",
      judgeAddresses(literal("198.18.3.4"), fake),
      { kind: "blocked", address: "198.18.3.4", isFake: false },
    ],
    [
      "a private literal in the ranges",
      judgeAddresses(literal("fc00::3"), fake),
      { kind: "zone", zone: "private" },
    ],
    [
      "this machine in the ranges",
      judgeAddresses(answer("127.0.0.1"), fake),
      { kind: "zone", zone: "loopback" },
    ],
    [
      "the cable in the ranges",
      judgeAddresses(answer("169.254.169.254"), fake),
      { kind: "zone", zone: "link-local" },
    ],
    [
      "another blocked one, with ranges set",
      judgeAddresses(answer("203.0.113.1"), fake),
      { kind: "blocked", address: "203.0.113.1", isFake: false },
    ],
  ];
  for (const [name, verdict, expected] of rows) {
    // Attack: 75
    it(name, () => assert.deepEqual(verdict, expected));
  }
});
