import type { AuthSession } from "../model/authSession.ts";
import type { AuthSessionOptions } from "./authSessionOptions.ts";

/** The authorization of one server. The caller disposes it; new settings need a new one. */
export function createAuthSession(_options: AuthSessionOptions): AuthSession {
  throw new Error("not built yet");
}
