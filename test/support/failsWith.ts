import assert from "node:assert/strict";

import { AuthError, type AuthErrorCode } from "../../src/auth/authError.ts";

/**
 * The error of work that must fail with an AuthError of this code, whose message names the server and has no argument
 * left open. Any other end fails the test.
 */
export async function failsWith(
  code: AuthErrorCode,
  work: Promise<unknown> | (() => unknown),
): Promise<AuthError> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    assert.equal(error.code, code, error.message);
    const text = `${error.message} ${error.remedy ?? ""}`;
    assert.ok(text.includes(`“${String(error.args["server"])}”`), text);
    assert.doesNotMatch(text, /\{\w+\}/);
    return error;
  }
  throw new Error(`nothing failed, and “${code}” was wanted`);
}
