import { createHmac } from "node:crypto";
import { canonicalJson, type JsonObject } from "../../base/json.ts";
import type { AuthSettings, Grant } from "../model/authSettings.ts";

/**
 * Names all settings that decide about an authorization: another text when any of them is another. Secrets go into it
 * as tags under the same key, so that it tells nothing of them. The query of the endpoint counts, its fragment does not.
 */
export function configDigest(settings: AuthSettings, key: string): string {
  const { endpoint, grant, clientSecret, clientKey, ...plain } = settings;
  return authTag(
    key,
    "settings",
    canonicalJson({
      ...(plain as unknown as JsonObject),
      endpoint: tagged(key, "endpoint", withoutFragment(endpoint)),
      grant: describeGrant(grant, key),
      clientSecret: tagged(key, "clientSecret", clientSecret),
      clientKey: tagged(key, "clientKey", clientKey),
    }),
  );
}

/** A keyed tag of a text: the same purpose, key and text give the same tag. */
export function authTag(key: string, purpose: string, text: string): string {
  return createHmac("sha256", key).update(`${purpose}\0${text}`).digest("base64url");
}

function tagged(key: string, purpose: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : authTag(key, purpose, text);
}

function describeGrant(grant: Grant, key: string): JsonObject {
  switch (grant.kind) {
    case "enterprise": {
      const { idpClientSecret, idToken, ...plain } = grant;
      return {
        ...plain,
        idpClientSecret: tagged(key, "idpClientSecret", idpClientSecret),
        idToken: tagged(key, "idToken", idToken),
      };
    }
    case "workload":
      return { kind: grant.kind, assertion: tagged(key, "assertion", grant.assertion) };
    default:
      return { kind: grant.kind };
  }
}

function withoutFragment(endpoint: URL): string {
  const url = new URL(endpoint);
  url.hash = "";
  return url.href;
}
