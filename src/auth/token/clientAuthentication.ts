import { randomUUID } from "node:crypto";

import type { Clock } from "../../base/clock.ts";
import { AuthError } from "../authError.ts";
import type { AuthSettings } from "../model/authSettings.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";
import { isCredentialText } from "../registration/credentialText.ts";
import { type ClientKey, importClientKey } from "./importClientKey.ts";

/** Puts the proof of who this client is into a request, for which it is made anew each time. */
export type ClientAuthentication = (body: URLSearchParams, headers: Headers) => void | Promise<void>;

/** How long an assertion is good for, in seconds. Clocks differ. */
const ASSERTION_LIFETIME = 120;

export interface AuthenticationFacts {
  readonly settings: AuthSettings;
  readonly issuer: Pick<IssuerFacts, "issuer" | "tokenAuthAlgorithms">;
  readonly client: ClientFacts;
  readonly clock: Clock;
}

/** The authentication of a client by the method that was agreed on. Throws AuthError `bad-settings`. */
export function clientAuthentication(facts: AuthenticationFacts): ClientAuthentication {
  const { client } = facts;
  switch (client.authMethod) {
    case "none":
      return (body) => {
        // A workload is known by its assertion alone.
        if (client.id !== "") body.set("client_id", client.id);
      };
    case "client_secret_basic": {
      const header = basicHeader(client.id, secretOf(facts), facts.settings.serverName);
      return (_body, headers) => headers.set("authorization", header);
    }
    case "client_secret_post": {
      const secret = checkCredential(secretOf(facts), "client secret", facts.settings.serverName);
      return (body) => {
        body.set("client_id", client.id);
        body.set("client_secret", secret);
      };
    }
    case "private_key_jwt":
      return keyAuthentication(facts);
  }
}

/** The secret of a client; undefined when it has none. That of a pre-registered one is only in the settings. */
export function clientSecretOf(settings: AuthSettings, client: ClientFacts): string | undefined {
  return client.secret ?? (client.kind === "preregistered" ? settings.clientSecret : undefined);
}

function secretOf({ settings, client }: AuthenticationFacts): string {
  const secret = clientSecretOf(settings, client);
  if (secret !== undefined && secret !== "") return secret;
  throw badSettings(settings.serverName, "“oauth.clientSecret” is missing.");
}

/**
 * Both parts are form-encoded first (RFC 6749 §2.3.1), as browsers do it: what ids and secrets usually consist of stays
 * as it is, so that servers that forget to decode understand it too.
 */
function basicHeader(id: string, secret: string, serverName: string): string {
  const parts = [
    checkCredential(id, "client id", serverName),
    checkCredential(secret, "client secret", serverName),
  ];
  const encoded = parts.map((part) => new URLSearchParams([["", part]]).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(":"), "ascii").toString("base64")}`;
}

function checkCredential(text: string, what: string, serverName: string): string {
  if (isCredentialText(text)) return text;
  throw badSettings(
    serverName,
    `The ${what} has characters that it cannot have, such as a line break or an accented letter. OAuth allows printable ASCII only.`,
  );
}

function badSettings(server: string, problem: string): AuthError {
  return new AuthError("bad-settings", { server, problem });
}

/** RFC 7523 §2.2. The audience is the issuer: an assertion for one server is of no use at another. */
function keyAuthentication({ settings, issuer, client, clock }: AuthenticationFacts): ClientAuthentication {
  let imported: Promise<ClientKey> | undefined;
  return async (body) => {
    imported ??= importKey(settings, issuer.tokenAuthAlgorithms);
    const { key, algorithm, id } = await imported;
    const jose = await import("../joseLibrary.ts");
    const now = Math.floor(clock.now() / 1000);
    const assertion = await new jose.SignJWT()
      .setProtectedHeader({ alg: algorithm, typ: "JWT", ...(id === undefined ? {} : { kid: id }) })
      .setIssuer(client.id)
      .setSubject(client.id)
      .setAudience(issuer.issuer)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + ASSERTION_LIFETIME)
      .sign(key);
    body.set("client_id", client.id);
    body.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    body.set("client_assertion", assertion);
  };
}

async function importKey(settings: AuthSettings, taken: readonly string[] | undefined): Promise<ClientKey> {
  const { serverName, clientKey, clientKeyAlgorithm } = settings;
  if (clientKey === undefined) throw badSettings(serverName, "“oauth.clientKey” is missing.");
  return importClientKey(serverName, { text: clientKey, wanted: clientKeyAlgorithm, taken });
}
