import { abortable } from "../../base/abortable.ts";
import { CallScope } from "../../base/callScope.ts";
import { errorText } from "../../base/errors.ts";
import { AuthError } from "../authError.ts";
import { ENGLISH_ANSWER_TEXTS } from "../loopback/answerTexts.ts";
import { type AnswerListener, listenForAnswer } from "../loopback/listenForAnswer.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { SignInPorts } from "../model/signInPorts.ts";
import type { AnswerDesk } from "./answerDesk.ts";
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

/** An editor that has to set up a tunnel needs some seconds for it; some never answer. */
const EXTERNAL_LIMIT_MS = 30_000;

/** Where the browser gets to this machine. When the editor does not know, its page is not found, and can be pasted. */
async function findExternal(context: AuthContext, ports: SignInPorts, loopback: string): Promise<string> {
  const { signal, clock, log, settings } = context;
  const scope = new CallScope({
    clock,
    signals: [signal],
    maximumMs: EXTERNAL_LIMIT_MS,
    timeoutError: (limitMs) => new Error(`the editor did not answer within ${limitMs / 1_000} s`),
  });
  try {
    return await abortable(ports.externalUri(loopback), scope.signal);
  } catch (error) {
    signal.throwIfAborted();
    log.write(
      "warn",
      `${settings.serverName}: no address for the browser to come back to: ${errorText(error)}`,
    );
    return loopback;
  } finally {
    scope.dispose();
  }
}
