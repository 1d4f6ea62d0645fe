import type { AuthChallenge } from "../../net/authChallenges.ts";
import type { ChallengeFacts } from "../model/facts.ts";

/** What a refusal says about authorization; undefined when it says nothing that is used. */
export function readChallenge(_challenges: readonly AuthChallenge[]): ChallengeFacts | undefined {
  throw new Error("not built yet");
}
