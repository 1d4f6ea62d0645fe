import { randomBytes } from "node:crypto";
import type { LoopbackHost } from "../loopback/bindLoopback.ts";
import type { ClientFacts } from "../model/facts.ts";

/** The path that clients have which somebody registered by hand, or that have a metadata document. */
export const PLAIN_PATH = "/callback";

/** The path of a client that registers itself: nobody else can guess it. */
const RANDOM_PATH = /\/callback\/[\w-]{22}$/;

/** Where a listener should be. */
export interface WantedPlace {
  /** Undefined takes any free port. */
  readonly port: number | undefined;
  /** No other port will do. */
  readonly mustHavePort: boolean;
  readonly path: string;
}

/** A path that nobody can guess. */
export function randomPath(): string {
  return `${PLAIN_PATH}/${randomBytes(16).toString("base64url")}`;
}

/**
 * Where to listen for the answer to a client: where it said so when it was registered, because many servers compare
 * the whole address, even the port.
 */
export function placeOfClient(client: ClientFacts): Omit<WantedPlace, "mustHavePort"> {
  const { redirectUri } = client;
  if (redirectUri === undefined || !URL.canParse(redirectUri)) return { port: undefined, path: PLAIN_PATH };
  const url = new URL(redirectUri);
  const path = RANDOM_PATH.exec(url.pathname)?.[0] ?? PLAIN_PATH;
  // An editor in the browser of the same machine forwards as well: then the port is its own, and ours is in the path.
  if (isLoopback(url) && url.pathname === path)
    return { port: url.port === "" ? undefined : Number(url.port), path };
  return { port: forwardedPort(url, path), path };
}

/**
 * The port of this machine that an address outside stands for, as far as the address shows it: all that forward ports
 * write it into a name or a path, as in `/proxy/41737/callback`. A wrong guess does no harm, because then the address
 * for it is another one, with which the client was not registered.
 */
function forwardedPort(url: URL, path: string): number | undefined {
  const outside = url.hostname + url.pathname.slice(0, url.pathname.length - path.length);
  const ports = [...outside.matchAll(/(?<![0-9a-z])\d{4,5}(?![0-9a-z])/gi)].map(([digits]) => Number(digits));
  return ports.findLast((port) => port >= 1024 && port <= 65_535);
}

/**
 * The redirect URI for a listener of this machine, from the address under which the editor says that a browser reaches
 * it. Only https and addresses of the browser's own machine may be one; with anything else the browser ends on the
 * listener's own address, and the person pastes it.
 */
export function toRedirectUri(external: string, loopback: string, host: LoopbackHost): string {
  if (external === loopback || !URL.canParse(external)) return loopback;
  const url = new URL(external);
  const isPlain = url.hash === "" && url.username === "" && url.password === "";
  if (!isPlain || !url.pathname.endsWith(new URL(loopback).pathname)) return loopback;
  if (url.protocol === "https:") return external;
  if (!isLoopback(url)) return loopback;
  url.hostname = host;
  return url.href;
}

function isLoopback(url: URL): boolean {
  return url.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
}
