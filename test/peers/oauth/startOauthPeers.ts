import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  DEFAULT_SCOPES,
  startAuthorizationServer,
} from "./authorizationServer.ts";
import {
  type ProtectedServer,
  type ProtectedServerOptions,
  startProtectedServer,
} from "./protectedServer.ts";

/** What both servers do. All of it may be left out. */
export interface OauthPeersOptions {
  readonly authority?: AuthorizationServerOptions;
  readonly server?: ProtectedServerOptions;
}

/** An authorization server that others wrote, and an MCP server on an official SDK that it protects. */
export interface OauthPeers {
  readonly authority: AuthorizationServer;
  readonly server: ProtectedServer;
  close(): Promise<void>;
}

/**
 * Starts both on loopback ports. The person's name and password on the page of the authorization server are free.
 * Whoever starts them closes them.
 */
export async function startOauthPeers(options: OauthPeersOptions = {}): Promise<OauthPeers> {
  const authority = await startAuthorizationServer(options.authority);
  const server = await startProtectedServer(authority, options.server);
  authority.resources.set(server.resource, options.authority?.scopes ?? DEFAULT_SCOPES);
  return {
    authority,
    server,
    async close() {
      await Promise.all([server.close(), authority.close()]);
    },
  };
}
