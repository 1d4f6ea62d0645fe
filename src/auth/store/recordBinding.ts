import { createHash } from "node:crypto";
import { canonicalJson } from "../../base/json.ts";
import type { AuthSettings } from "../model/authSettings.ts";

/** Whose record it is: a record that was made for anything else is not used. */
export interface RecordBinding {
  readonly installationId: string;
  /** Where the server's definition comes from. */
  readonly scope: string;
  readonly settings: AuthSettings;
}

/**
 * The key of a server's record. There is one for each definition of a server, whatever its address, client and issuer:
 * those stand in the record and are compared, so that a record that no longer fits is found, and deleted.
 */
export function recordKey({ installationId, scope, settings }: RecordBinding): string {
  const server = canonicalJson({ installationId, scope, serverName: settings.serverName });
  return `oauth.v1/${createHash("sha256").update(server).digest("base64url")}`;
}

/** The endpoint as it is compared: neither query nor fragment. */
export function endpointIdentity(endpoint: URL): string {
  return endpoint.origin + endpoint.pathname;
}
