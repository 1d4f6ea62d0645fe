import type { AuthSettings } from "./model/authSettings.ts";

/** Checks what can be checked before anything is sent. Throws AuthError `bad-settings`. */
export function checkAuthSettings(_settings: AuthSettings): void {
  throw new Error("not built yet");
}
