import { errorText } from "../../base/errors.ts";
import { AuthError } from "../authError.ts";
import { ENGLISH_ANSWER_TEXTS } from "../loopback/answerTexts.ts";
import { type AnswerListener, listenForAnswer } from "../loopback/listenForAnswer.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { SignInPorts } from "../model/signInPorts.ts";
import type { AnswerDesk } from "./answerDesk.ts";
import { askPerson } from "./askPerson.ts";
import { type WantedPlace, toRedirectUri } from "./redirectUri.ts";

/** Where the browser comes back to. */
export interface Door {
  readonly listener: AnswerListener;
  readonly redirectUri: string;
}

/**
 * Listens where the browser is to come back to, and finds out under which address it gets there.
 * A port of the settings has to be had; another that is wished for may be replaced by any when it is in use.
 */
export async function openDoor(
  context: AuthContext,
  ports: SignInPorts,
  wanted: WantedPlace,
  desk: AnswerDesk,
): Promise<Door> {
  const { settings, clock, log } = context;
  const options = {
    serverName: settings.serverName,
    host: settings.redirectHost,
    path: wanted.path,
    offer: (query: string) => desk.offer(query),
    texts: ports.pages ?? ENGLISH_ANSWER_TEXTS,
    clock,
    log,
  };
  const listener = await listenForAnswer({ ...options, port: settings.redirectPort ?? wanted.port }).catch(
    (error: unknown) => {
      const isTaken = error instanceof AuthError && error.code === "port-taken";
      if (!isTaken || settings.redirectPort !== undefined || wanted.mustHavePort) throw error;
      return listenForAnswer({ ...options, port: undefined });
    },
  );
  try {
    const external = await findExternal(context, ports, listener.uri);
    const redirectUri = toRedirectUri(external, listener.uri, settings.redirectHost);
    listener.reachedAt(redirectUri);
    return { listener, redirectUri };
  } catch (error) {
    listener.dispose();
    throw error;
  }
}

/** Where the browser gets to this machine. When the editor does not know, its page is not found, and can be pasted. */
async function findExternal(context: AuthContext, ports: SignInPorts, loopback: string): Promise<string> {
  try {
    return await askPerson(context, () => ports.externalUri(loopback));
  } catch (error) {
    context.signal.throwIfAborted();
    const { serverName } = context.settings;
    context.log.write(
      "warn",
      `${serverName}: no address for the browser to come back to: ${errorText(error)}`,
    );
    return loopback;
  }
}
