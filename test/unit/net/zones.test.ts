import assert from "node:assert/strict";

import { mayReach, type Zone, zoneOfAddress } from "../../../src/net/zones.ts";

describe("zoneOfAddress", () => {
  const rows: readonly [zone: Zone | "blocked", addresses: readonly string[]][] = [
    ["public", ["8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0"]],
    [
      "public",
      ["9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.1", "192.167.255.255", "192.169.0.0"],
    ],
    ["public", ["169.253.255.255", "169.255.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"]],
    [
      "public",
      ["2606:4700:4700::1111", "2a00:1450::1", "2001:4860:4860::8888", "2620:fe::fe", "2001:200::1"],
    ],
    ["public", ["::ffff:8.8.8.8", "::ffff:808:808", "64:ff9b::808:808", "64:ff9b::8.8.8.8"]],
    [
      "private",
      ["10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"],
    ],
    [
      "private",
      ["100.64.0.0", "100.127.255.255", "100.100.100.200", "fc00::1", "fd12:3456::1", "fdff:ffff::1"],
    ],
    ["private", ["::ffff:10.0.0.1", "::ffff:a00:1", "fd00:ec2::254"]],
    ["loopback", ["127.0.0.1", "127.0.0.0", "127.255.255.255", "127.8.9.10", "::1", "0:0:0:0:0:0:0:1"]],
    ["loopback", ["::ffff:127.0.0.1", "::ffff:7f00:1"]],
    [
      "link-local",
      ["169.254.0.0", "169.254.169.254", "169.254.255.255", "fe80::1", "febf::1", "fe80::1%eth0"],
    ],
    ["link-local", ["::ffff:169.254.169.254"]],
    ["blocked", ["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"]],
    ["blocked", ["198.18.0.0", "198.19.255.255", "::ffff:198.18.0.1"]],
    [
      "blocked",
      ["224.0.0.1", "239.255.255.255", "240.0.0.1", "254.1.1.1", "255.255.255.255", "ff02::1", "ff0e::1"],
    ],
    ["blocked", ["192.0.2.1", "198.51.100.1", "203.0.113.9", "2001:db8::1", "3fff::1"]],
    ["blocked", ["192.0.0.1", "192.0.0.170", "192.88.99.1", "192.31.196.1", "192.52.193.1", "192.175.48.1"]],
    [
      "blocked",
      ["2002:7f00:1::", "2002:808:808::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:20::1"],
    ],
    ["blocked", ["::1.2.3.4", "::8.8.8.8", "::2", "::127.0.0.1"]],
    ["blocked", ["64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b::198.18.0.1"]],
    ["blocked", ["64:ff9b:1::808:808", "64:ff9b::1:0:0:808:808", "64:ff9a::808:808"]],
    [
      "blocked",
      [
        "fec0::1",
        "feff::1",
        "100::1",
        "5f00::1",
        "4000::1",
        "::ffff:0:8.8.8.8",
        "2620:4f:8000::1",
        "fe00::1",
      ],
    ],
    [
      "blocked",
      [
        "",
        "localhost",
        "example.com",
        "127.1",
        "010.0.0.1",
        "0x7f.0.0.1",
        "2130706433",
        "[::1]",
        "8.8.8.8:80",
      ],
    ],
    ["blocked", ["8.8.8.8 ", "1.2.3", "1.2.3.4.5", "256.1.1.1", "٨.8.8.8", ":::", "::ffff:8.8.8"]],
  ];
  for (const [zone, addresses] of rows) {
    for (const address of addresses) {
      // Attack: 71
      it(`${JSON.stringify(address)} is ${zone}`, () => {
        assert.equal(zoneOfAddress(address), zone);
      });
    }
  }
});

describe("mayReach", () => {
  const zones: readonly Zone[] = ["public", "private", "loopback", "link-local"];
  const reach: Readonly<Record<Zone, readonly Zone[]>> = {
    public: ["public"],
    private: ["public", "private"],
    loopback: ["public", "private", "loopback"],
    "link-local": ["public", "link-local"],
  };
  for (const from of zones) {
    for (const to of zones) {
      const may = reach[from].includes(to);
      // Attack: 79, 80
      it(`${from} ${may ? "may" : "may not"} lead to ${to}`, () => {
        assert.equal(mayReach(from, to), may);
      });
    }
  }
});
