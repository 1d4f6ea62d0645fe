import assert from "node:assert/strict";
import { AuthError } from "../../../src/auth/authError.ts";
import { ClientError } from "../../../src/client/clientError.ts";
import { decideRestart, MAX_RESTARTS, STEADY_MS } from "../../../src/client/restartPolicy.ts";
import { Restarter } from "../../../src/client/restarter.ts";
import type { Problem } from "../../../src/client/serverState.ts";
import { NetError } from "../../../src/net/netError.ts";
import { EngineError, type EngineErrorCode } from "../../../src/protocol/engineError.ts";
import { RpcError } from "../../../src/protocol/rpcError.ts";
import { CollectingLog } from "../../support/collectingListener.ts";
import { FakeClock } from "../../support/fakeClock.ts";

const engine = (code: EngineErrorCode, httpStatus?: number): Problem =>
  new EngineError(code, { server: "s" }, { httpStatus });
const EXITED = engine("process-exited");

describe("decideRestart", () => {
  // Duty: 3.11, 3.13
  it("doubles the pause with each restart, to five, within half of it by chance", () => {
    const pauses = [0, 1, 2, 3, 4].map((restarts) =>
      [0, 1].map((random) => decideRestart({ problem: EXITED, restarts, heldMs: undefined, random })),
    );
    assert.deepEqual(
      pauses.map((pair) => pair.map((decision) => (decision.kind === "again" ? decision.delayMs : "none"))),
      [
        [500, 1_000],
        [1_000, 2_000],
        [2_000, 4_000],
        [4_000, 8_000],
        [8_000, 16_000],
      ],
    );
    assert.deepEqual(decideRestart({ problem: EXITED, restarts: 5, heldMs: 59_999, random: 0 }), {
      kind: "enough",
    });
  });

  it("begins a new count after a connection that stood", () => {
    assert.deepEqual(decideRestart({ problem: EXITED, restarts: 5, heldMs: STEADY_MS, random: 1 }), {
      kind: "again",
      attempt: 1,
      delayMs: 1_000,
    });
  });

  const cases: readonly (readonly [name: string, problem: Problem, kind: "again" | "useless"])[] = [
    ["an end of the process", EXITED, "again"],
    ["a lost stream", engine("stream-ended"), "again"],
    ["a time limit", engine("timeout"), "again"],
    ["a busy server", engine("busy", 503), "again"],
    ["HTTP 502", engine("http-status", 502), "again"],
    ["a refused connection", new NetError("refused", { server: "s" }), "again"],
    ["HTTP 404", engine("http-status", 404), "useless"],
    ["401 and 403", engine("authorization-required", 401), "useless"],
    ["a revision that is refused", engine("no-common-revision"), "useless"],
    ["a downgrade", engine("was-modern"), "useless"],
    ["a command that is not there", engine("command-not-found"), "useless"],
    ["a message that is too large", engine("message-too-large"), "useless"],
    ["our own end of it", engine("closed"), "useless"],
    ["a certificate", new NetError("tls-self-signed", { server: "s" }), "useless"],
    ["a sign-in that is needed", new AuthError("sign-in-needed", { server: "s" }), "useless"],
    ["a credential that is not taken", new AuthError("credential-rejected", { server: "s" }), "useless"],
    ["a token that cannot be renewed now", new AuthError("refresh-unavailable", { server: "s" }), "again"],
    ["a token that cannot be had now", new AuthError("token-unavailable", { server: "s" }), "again"],
    ["a missing approval", new ClientError("not-approved", { server: "s" }), "useless"],
    ["a missing value", new ClientError("unset-variable", { server: "s" }), "useless"],
    ["an error of the server", new RpcError("m", { code: -32603, message: "no" }), "useless"],
  ];
  for (const [name, problem, kind] of cases) {
    it(`calls it ${kind} after ${name}`, () => {
      assert.equal(decideRestart({ problem, restarts: 0, heldMs: 5, random: 0.5 }).kind, kind);
    });
  }
});

describe("Restarter", () => {
  function setUp(): { restarter: Restarter; clock: FakeClock; log: CollectingLog; starts: number[] } {
    const clock = new FakeClock();
    const log = new CollectingLog();
    const starts: number[] = [];
    const restarter = new Restarter({ clock, log: () => log, restart: () => starts.push(clock.now()) });
    return { restarter, clock, log, starts };
  }

  it("starts it when the time has come, and says so once each time, and when it gives up", () => {
    const { restarter, clock, log, starts } = setUp();
    restarter.connected();
    for (let attempt = 1; attempt <= MAX_RESTARTS; attempt += 1) {
      const plan = restarter.plan(EXITED);
      assert.equal(plan?.attempt, attempt);
      assert.equal(restarter.isPlanned, true);
      clock.advance(plan.atMs - clock.now() - 1);
      assert.equal(starts.length, attempt - 1);
      clock.advance(1);
      assert.equal(starts.length, attempt);
      assert.equal(restarter.isPlanned, false);
    }
    assert.equal(restarter.plan(EXITED), undefined);
    assert.deepEqual(log.visible, [
      ...[1, 2, 3, 4, 5].map((n) => `info Restart ${String(n)} of 5 after an unexpected end`),
      "warn Restarted 5 times in a row; it is not restarted again",
    ]);
  });

  it("does nothing once a person has decided, and counts anew", () => {
    const { restarter, clock, starts } = setUp();
    restarter.plan(EXITED);
    clock.advance(1_000);
    restarter.plan(EXITED);
    restarter.reset();
    clock.advance(120_000);
    assert.equal(starts.length, 1);
    assert.equal(clock.pending, 0);
    assert.equal(restarter.plan(EXITED)?.attempt, 1);
    restarter.dispose();
    assert.equal(clock.pending, 0);
  });
});
