import { errorText } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json.ts";
import { parseAuthChallenges } from "../../net/authChallenges.ts";
import { readChallenge } from "../discovery/readChallenge.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { ChallengeFacts } from "../model/facts.ts";

/** The harmless question of every revision that has one; a server that wants authorization does not read it. */
const QUESTION = stringifyJson({ jsonrpc: "2.0", id: 1, method: "server/discover", params: {} });

/**
 * Asks a server without any credential what authorization it wants, for a sign-in before the first connection. Of the
 * answer only status and challenge are read. Undefined when it says nothing: then its metadata is looked for where it
 * has to be. Rejects only with the signal's reason.
 */
export async function probe({
  settings,
  network,
  zone,
  log,
  signal,
}: AuthContext): Promise<ChallengeFacts | undefined> {
  try {
    const { status, headers } = await network.send({
      method: "POST",
      url: settings.endpoint.href,
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: QUESTION,
      from: zone,
      signal,
    });
    const header = headers["www-authenticate"];
    if (status !== 401 || header === undefined) return undefined;
    return readChallenge(parseAuthChallenges(typeof header === "string" ? header : header.join(", ")));
  } catch (error) {
    signal.throwIfAborted();
    log.write("debug", `Nothing is known of what authorization is wanted: ${errorText(error)}`);
    return undefined;
  }
}
