import { AuthError } from "../../auth/authError.ts";
import type { RequestAuthorizer } from "../../net/requestAuthorizer.ts";
import { describeChallenges } from "../../protocol/transports/http/judgeAnswer.ts";

/**
 * Looks after a credential that the settings of a server carry, in a header or in its address: it adds nothing to a
 * request, and says that the server did not take it. Nobody signs in, and nothing is asked of anybody.
 */
export function createExternalAuthorizer(options: {
  readonly serverName: string;
  /** Told whether the server takes the credential. */
  readonly onJudged: (isRejected: boolean) => void;
}): RequestAuthorizer {
  const { serverName, onJudged } = options;
  return {
    zone: undefined,
    authorize: () => ({}),
    refused: ({ status, challenges }) => {
      // A 403 is about what may be done with it, which is nothing that is known here.
      if (status === 403) return Promise.resolve({ kind: "unknown" });
      onJudged(true);
      const said = describeChallenges(challenges);
      const detail = said === "" ? undefined : said;
      const error = new AuthError("credential-rejected", { server: serverName, status }, { detail });
      return Promise.resolve({ kind: "refused", error });
    },
    answered: () => {
      onJudged(false);
    },
  };
}
