import assert from "node:assert/strict";

import { tokenAge } from "../../../../src/auth/session/tokenAge.ts";
import { TOKENS } from "../../../support/credentialFixtures.ts";

const MINUTE = 60_000;

describe("the age of a token", () => {
  const cases: readonly [what: string, lifeMs: number | undefined, agoMs: number, age: string][] = [
    ["without an end", undefined, 1e12, "fresh"],
    ["of an hour, new", 60 * MINUTE, 0, "fresh"],
    ["of an hour, with more than a tenth left", 60 * MINUTE, 54 * MINUTE - 1, "fresh"],
    ["of an hour, with a tenth left", 60 * MINUTE, 54 * MINUTE, "due"],
    ["of an hour, at its end", 60 * MINUTE, 60 * MINUTE, "expired"],
    ["of five minutes, with more than a minute left", 5 * MINUTE, 4 * MINUTE - 1, "fresh"],
    ["of five minutes, with a minute left", 5 * MINUTE, 4 * MINUTE, "due"],
    ["of two seconds, new", 2_000, 0, "fresh"],
    ["of two seconds, at half its life", 2_000, 1_000, "due"],
    ["of two seconds, at its end", 2_000, 2_000, "expired"],
    ["of no time at all", 0, 5_000, "fresh"],
    ["of less than no time", -1, 5_000, "fresh"],
    ["when the clock was set back", 60 * MINUTE, -24 * 60 * MINUTE, "fresh"],
    ["when the clock was set far forward", 60 * MINUTE, 24 * 60 * MINUTE, "expired"],
  ];
  for (const [what, lifeMs, agoMs, age] of cases) {
    it(`${what}: ${age}`, () => {
      const { expiresAtMs: _end, ...rest } = TOKENS;
      const tokens = lifeMs === undefined ? rest : { ...rest, expiresAtMs: TOKENS.obtainedAtMs + lifeMs };
      assert.equal(tokenAge(tokens, TOKENS.obtainedAtMs + agoMs), age);
    });
  }
});
