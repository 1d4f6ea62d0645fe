import { AuthError, type AuthErrorCode } from "../../src/auth/authError.ts";

/** The error of work that must fail with an AuthError of this code. Any other end fails the test. */
export async function failsWith(work: Promise<unknown>, code: AuthErrorCode): Promise<AuthError> {
  const error = await work.then(
    (value) => new Error(`It did not fail: ${String(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof AuthError && error.code === code) return error;
  throw error;
}
