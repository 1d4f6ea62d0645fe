import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

import type { Zone } from "../../../src/net/zones.ts";
import { runInNamespace, whyNoNamespace } from "../../support/networkNamespace.ts";
import type { ZonesReport } from "./zones/allZones.ts";

const missing = whyNoNamespace();
const note = missing === undefined ? "" : ` (skipped: ${missing})`;

describe(`servers in all zones, in a network of their own${note}`, () => {
  let report: ZonesReport;

  before(async function () {
    if (missing !== undefined) this.skip();
    this.timeout(40_000);
    const script = fileURLToPath(new URL("./zones/allZones.ts", import.meta.url));
    report = (await runInNamespace(script, [
      "8.8.8.8/32",
      "10.1.2.3/32",
      "169.254.169.254/32",
    ])) as ZonesReport;
  });

  const reach: Readonly<Record<Zone, readonly Zone[]>> = {
    public: ["public"],
    private: ["public", "private"],
    loopback: ["public", "private", "loopback"],
    "link-local": ["public", "link-local"],
  };
  const zones = Object.keys(reach) as Zone[];

  // Attack: 73, 79, 80
  it("are reached from nowhere but where they may be, and else hear nothing", () => {
    for (const from of zones) {
      for (const to of zones) {
        const expected = reach[from].includes(to) ? 200 : "zone-escalation";
        assert.equal(report.outcomes[`${from} to ${to}`], expected, `${from} to ${to}`);
      }
    }
    // Once by name and once by address, from each zone that may.
    const counts = zones.map((to) => [to, 2 * zones.filter((from) => reach[from].includes(to)).length]);
    assert.deepEqual(report.connections, Object.fromEntries(counts));
  });

  // Attack: 74, 76
  it("get nothing when a name comes to stand for one further inside", () => {
    assert.deepEqual(report.rebinding, [200, "zone-escalation", 1, 0]);
  });

  // Attack: 4
  it("lead nobody further inside by a redirect", () => {
    assert.equal(report.redirected, 302);
  });
});
