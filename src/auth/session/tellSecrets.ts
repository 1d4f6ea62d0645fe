import type { AuthSettings } from "../model/authSettings.ts";
import type { Credential } from "../store/credential.ts";

/** Tells every secret of the settings, so that logs leave it out. */
export function tellSettingsSecrets({ clientSecret, clientKey, grant }: AuthSettings, tell: Tell): void {
  tellAll(tell, clientSecret, clientKey);
  if (grant.kind === "enterprise") tellAll(tell, grant.idpClientSecret, grant.idToken);
  if (grant.kind === "workload") tellAll(tell, grant.assertion);
}

/** Tells every secret of a credential. */
export function tellCredentialSecrets({ facts, tokens }: Credential, tell: Tell): void {
  const privatePart = facts.dpop?.jwk["d"];
  tellAll(tell, tokens?.access, tokens?.refresh, facts.client.secret);
  if (typeof privatePart === "string") tell(privatePart);
}

type Tell = (value: string) => void;

function tellAll(tell: Tell, ...values: readonly (string | undefined)[]): void {
  for (const value of values) if (value !== undefined) tell(value);
}
