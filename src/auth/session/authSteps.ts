import { checkAuthSettings } from "../checkAuthSettings.ts";
import { createDpopProver } from "../dpop/createDpopProver.ts";
import { getUnattended } from "../grants/getUnattended.ts";
import { signIn } from "../signIn/signIn.ts";
import { createTokenClient } from "../token/createTokenClient.ts";

/** The parts of an authorization that reach out; a test may bring its own. */
export interface AuthSteps {
  readonly checkAuthSettings: typeof checkAuthSettings;
  readonly signIn: typeof signIn;
  readonly getUnattended: typeof getUnattended;
  readonly createTokenClient: typeof createTokenClient;
  readonly createDpopProver: typeof createDpopProver;
}

/** The real ones. */
export const authSteps: AuthSteps = {
  checkAuthSettings,
  signIn,
  getUnattended,
  createTokenClient,
  createDpopProver,
};
