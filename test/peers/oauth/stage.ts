import { AuthError } from "../../../src/auth/authError.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { AuthWindow, type AuthWindowOptions } from "../../support/authWindow.ts";
import { type PersonResult, type PersonWish, signInAsPerson } from "./person.ts";
import { type OauthPeers, type OauthPeersOptions, startOauthPeers } from "./startOauthPeers.ts";

/** What was started for one test. */
export interface Stage {
  readonly peers: OauthPeers;
  readonly window: AuthWindow;
  /** What the person does on the pages. */
  readonly wish: { -readonly [K in keyof PersonWish]: PersonWish[K] };
  /** The visits of the browser, one for each sign-in, and where each ended. */
  readonly visits: Promise<PersonResult>[];
}

/** Starts the servers and a window with the MCP server `s`, and takes everything down again. */
export async function onStage(
  { oauth, window: options, ...peersOptions }: OauthPeersOptions & StageOptions,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const peers = await startOauthPeers(peersOptions);
  const wish: Stage["wish"] = {};
  const visits: Promise<PersonResult>[] = [];
  const settings = typeof oauth === "function" ? oauth(peers) : oauth;
  const servers = { s: { url: peers.server.url, ...(settings === undefined ? {} : { oauth: settings }) } };
  const window = new AuthWindow(servers, {
    ...options,
    browse: (url) => {
      const visit = signInAsPerson(url, wish);
      visits.push(visit);
      return visit;
    },
  });
  try {
    await work({ peers, window, wish, visits });
  } catch (error) {
    const log = [...window.log.lines, ...window.servers.log.lines].slice(-20).join("\n");
    throw new Error(`${String(error)}\n${window.person.troubles.map(String).join("\n")}\n${log}`, {
      cause: error,
    });
  } finally {
    await Promise.allSettled(visits);
    await window[Symbol.asyncDispose]();
    await peers.close();
  }
}

/** The settings `oauth` of the MCP server, and how the window is made. */
export interface StageOptions {
  readonly oauth?: JsonObject | ((peers: OauthPeers) => JsonObject);
  readonly window?: Omit<AuthWindowOptions, "browse">;
}

/** For `assert.rejects`: an error of the authorization layer with this code. */
export const code = (wanted: string) => (error: unknown) => {
  if (error instanceof AuthError && error.code === wanted) return true;
  throw error;
};
