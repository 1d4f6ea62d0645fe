import assert from "node:assert/strict";
import { formatCents, isRegionId, quoteCents } from "../../../demo/catalog.ts";
import { describeDatabase, PROVISIONING_MS } from "../../../demo/provisioning.ts";

const ORDER = { name: "orders", engine: "postgres", storageGb: 20, plan: "standard" } as const;

describe("demo: catalog", () => {
  it("quotes whole cents, by plan, engine, size and region", () => {
    assert.equal(quoteCents(ORDER, "eu-central"), 4140);
    assert.equal(quoteCents(ORDER, "eu-north"), 3809);
    assert.equal(quoteCents({ ...ORDER, plan: "enterprise", engine: "redis" }, "ap-southeast"), 30590);
    assert.equal(formatCents(4140), "41.40 EUR");
  });

  it("knows its regions", () => {
    assert.equal(isRegionId("eu-north"), true);
    for (const other of ["mars", "", undefined, 1, {}]) assert.equal(isRegionId(other), false);
  });

  it("tells the progress of a creation by the clock", () => {
    const database = {
      ...ORDER,
      id: "db-1",
      region: "eu-north",
      monthlyCents: 3809,
      createdAt: 1_000,
    } as const;
    const at = (ms: number): string => {
      const { status, percent, phase } = describeDatabase(database, 1_000 + ms);
      return `${status} ${String(percent)} ${phase}`;
    };
    assert.equal(at(0), "provisioning 0 allocating storage");
    assert.equal(at(PROVISIONING_MS / 2), "provisioning 50 starting the engine");
    assert.equal(at(PROVISIONING_MS - 1), "provisioning 99 running checks");
    assert.equal(at(PROVISIONING_MS), "ready 100 ready");
    assert.equal(at(-5), "provisioning 0 allocating storage");
  });
});
