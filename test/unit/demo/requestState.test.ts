import assert from "node:assert/strict";
import { SignJWT } from "jose";
import {
  StateError,
  createStateSealer,
  generateStateKey,
  type NewRequestState,
  type StateProblem,
} from "../../../demo/requestState.ts";

const STATE: NewRequestState = {
  principal: "anonymous:tester",
  method: "tools/call",
  tool: "create_database",
  argumentDigest: "digest",
  round: 2,
  askedBy: ["A", "B"],
  settled: { region: "eu-north", cents: 3809 },
};
const EXPECTED = { principal: "anonymous:tester", method: "tools/call" };
const TEN_MINUTES_MS = 600_000;

async function assertRefused(opening: Promise<unknown>, problem: StateProblem): Promise<void> {
  await assert.rejects(opening, (error) => error instanceof StateError && error.problem === problem);
}

describe("demo: request state", () => {
  const key = generateStateKey();
  let now = 1_800_000_000_000;
  const sealer = createStateSealer([key], () => now);

  it("gives back what was sealed, with an id of its own and an expiry", async () => {
    const opened = await sealer.open(await sealer.seal(STATE), EXPECTED);
    const { id, expiresAt, ...rest } = opened;
    assert.deepEqual(rest, STATE);
    assert.equal(expiresAt, now / 1000 + TEN_MINUTES_MS / 1000);
    const again = await sealer.open(await sealer.seal(STATE), EXPECTED);
    assert.notEqual(again.id, id);
  });

  it("opens on another replica that has the same keys", async () => {
    const other = createStateSealer([key], () => now);
    const opened = await other.open(await sealer.seal(STATE), EXPECTED);
    assert.equal(opened.tool, "create_database");
  });

  it("refuses every change of a single part", async () => {
    const [header = "", payload = "", signature = ""] = (await sealer.seal(STATE)).split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Record<string, unknown>;
    const cheaper = { ...claims, settled: { region: "eu-north", cents: 1 } };
    const forgedPayload = Buffer.from(JSON.stringify(cheaper)).toString("base64url");
    await assertRefused(sealer.open([header, forgedPayload, signature].join("."), EXPECTED), "forged");
    await assertRefused(sealer.open([header, payload, signature.slice(2)].join("."), EXPECTED), "forged");
    const noAlgorithm = Buffer.from(JSON.stringify({ alg: "none", kid: key.kid })).toString("base64url");
    await assertRefused(sealer.open([noAlgorithm, payload, ""].join("."), EXPECTED), "forged");
    await assertRefused(sealer.open("", EXPECTED), "forged");
    await assertRefused(sealer.open("not a token", EXPECTED), "forged");
  });

  it("refuses a state of another server and one of an unknown key", async () => {
    const stranger = createStateSealer([generateStateKey()], () => now);
    await assertRefused(sealer.open(await stranger.seal(STATE), EXPECTED), "forged");
    const sameName = createStateSealer([{ ...generateStateKey(), kid: key.kid }], () => now);
    await assertRefused(sealer.open(await sameName.seal(STATE), EXPECTED), "forged");
  });

  it("refuses a token of another kind that the same key signed", async () => {
    const token = await new SignJWT({ tool: "create_database" })
      .setProtectedHeader({ alg: "HS256", kid: key.kid, typ: "at+jwt" })
      .setIssuer("signalbox-demo")
      .setSubject("anonymous:tester")
      .sign(Buffer.from(key.secret, "base64url"));
    await assertRefused(sealer.open(token, EXPECTED), "forged");
  });

  it("refuses a state that lacks a claim", async () => {
    const token = await new SignJWT({ method: "tools/call" })
      .setProtectedHeader({ alg: "HS256", kid: key.kid, typ: "mcp-request-state+jwt" })
      .setIssuer("signalbox-demo")
      .setSubject("anonymous:tester")
      .setExpirationTime(now / 1000 + 60)
      .sign(Buffer.from(key.secret, "base64url"));
    await assertRefused(sealer.open(token, EXPECTED), "forged");
  });

  it("refuses a state of another principal or another method", async () => {
    const sealed = await sealer.seal(STATE);
    await assertRefused(
      sealer.open(sealed, { ...EXPECTED, principal: "anonymous:other" }),
      "wrong-principal",
    );
    await assertRefused(sealer.open(sealed, { ...EXPECTED, method: "prompts/get" }), "wrong-method");
  });

  it("refuses an expired state, and accepts it until then", async () => {
    const sealed = await sealer.seal(STATE);
    now += TEN_MINUTES_MS - 1_000;
    await sealer.open(sealed, EXPECTED);
    now += 1_000;
    await assertRefused(sealer.open(sealed, EXPECTED), "expired");
  });

  it("opens what an older key of the ring sealed, and signs with the newest", async () => {
    const newest = generateStateKey();
    const rotated = createStateSealer([newest, key], () => now);
    await rotated.open(await sealer.seal(STATE), EXPECTED);
    await assertRefused(sealer.open(await rotated.seal(STATE), EXPECTED), "forged");
  });

  it("needs at least one key", () => {
    assert.throws(() => createStateSealer([]), RangeError);
  });
});
