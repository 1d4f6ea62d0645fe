import assert from "node:assert/strict";
import { createMemoryStore, type NewDatabase, type Ticket } from "../../../demo/databaseStore.ts";

const ORDERS: NewDatabase = {
  name: "orders",
  engine: "postgres",
  storageGb: 20,
  plan: "standard",
  region: "eu-north",
  monthlyCents: 3809,
};
const NOW_MS = 1_800_000_000_000;
const FAR = NOW_MS / 1000 + 600;

function ticket(stateId: string, answerDigest = "yes", expiresAt = FAR): Ticket {
  return { stateId, answerDigest, expiresAt };
}

describe("demo: database store", () => {
  it("creates once for one state, however often the step is repeated", async () => {
    const store = createMemoryStore(() => NOW_MS);
    const first = await store.create(ticket("s1"), ORDERS);
    const second = await store.create(ticket("s1"), ORDERS);
    assert.ok(first.kind === "created" && second.kind === "repeated");
    assert.deepEqual(second.database, first.database);
    assert.equal((await store.list()).length, 1);
  });

  it("creates once when the same step comes twice at the same time", async () => {
    const store = createMemoryStore(() => NOW_MS);
    const outcomes = await Promise.all([
      store.create(ticket("s1"), ORDERS),
      store.create(ticket("s1"), ORDERS),
    ]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ["created", "repeated"],
    );
    assert.equal((await store.list()).length, 1);
  });

  it("refuses a used state that comes with other answers", async () => {
    const store = createMemoryStore(() => NOW_MS);
    await store.create(ticket("s1"), ORDERS);
    assert.deepEqual(await store.create(ticket("s1", "other"), { ...ORDERS, name: "more" }), {
      kind: "replayed",
    });
    assert.equal((await store.list()).length, 1);
  });

  it("lets a state that only leads on be used once", async () => {
    const store = createMemoryStore(() => NOW_MS);
    assert.equal(await store.redeem(ticket("s1")), true);
    assert.equal(await store.redeem(ticket("s1")), false);
    assert.deepEqual(await store.create(ticket("s1"), ORDERS), { kind: "replayed" });
  });

  it("does not take a name twice", async () => {
    const store = createMemoryStore(() => NOW_MS);
    await store.create(ticket("s1"), ORDERS);
    assert.deepEqual(await store.create(ticket("s2"), ORDERS), { kind: "name-taken" });
    assert.deepEqual(await store.create(ticket("s2"), ORDERS), { kind: "replayed" });
  });

  it("removes once and can say so again", async () => {
    const store = createMemoryStore(() => NOW_MS);
    await store.create(ticket("s1"), ORDERS);
    const database = await store.find("orders");
    assert.ok(database !== undefined);
    assert.equal((await store.remove(ticket("s2"), database.id)).kind, "removed");
    assert.equal((await store.remove(ticket("s2"), database.id)).kind, "repeated");
    assert.equal((await store.remove(ticket("s3"), database.id)).kind, "gone");
    assert.equal(await store.find(database.id), undefined);
  });

  it("forgets uses only after their states have expired", async () => {
    let now = NOW_MS;
    const store = createMemoryStore(() => now);
    assert.equal(await store.redeem(ticket("old")), true);
    now = FAR * 1000 - 1;
    await store.redeem(ticket("next", "yes", FAR + 600));
    assert.equal(await store.redeem(ticket("old")), false);
    now = FAR * 1000 + 1;
    await store.redeem(ticket("last", "yes", FAR + 600));
    assert.equal(await store.redeem(ticket("old", "yes", FAR + 1200)), true);
  });
});
