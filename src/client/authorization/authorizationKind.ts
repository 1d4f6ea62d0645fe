import type { ServerConfig } from "../serverConfig.ts";

/**
 * Who authorizes the requests to a server: nobody, because it is a process or because `oauth` is false; its own
 * settings, with a header or with a user name in the address; or a session of the authorization layer.
 */
export type AuthorizationKind = "none" | "external" | "session";

/** Decides by what the settings say, whether placeholders are filled in or not. */
export function authorizationKind(config: ServerConfig): AuthorizationKind {
  if (config.type !== "http") return "none";
  const names = Object.keys(config.headers).map((name) => name.toLowerCase());
  if (names.includes("authorization") || hasCredentials(config.url)) return "external";
  return config.oauth === false ? "none" : "session";
}

function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}
