/** Asks for a refresh token where an authorization server knows it. */
export const OFFLINE = "offline_access";

/** The scopes that say what may be done. Whether a refresh token is asked for is decided by other facts. */
export function withoutOffline(scopes: readonly string[] | undefined): readonly string[] {
  return scopes?.filter((scope) => scope !== OFFLINE) ?? [];
}
