import { isLoopbackHost } from "../../net/hostAddress.ts";
import { cleanText } from "../cleanText.ts";

/** Characters of an address. Longer ones are not used. */
export const MAX_ADDRESS = 2_048;

/** What no address holds unescaped. `URL` would quietly drop or mend some of it, so that another one came out. */
const NOT_IN_ADDRESS = /[\s\p{Cc}\p{Cf}<>"\\^`{|}]/u;

/** A segment of one or two dots, which leads to another path. */
const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** An address that may be used, or why not. */
export type AuthAddress = { readonly url: URL } | { readonly problem: string };

/**
 * Reads an address that metadata, a challenge or a setting names: https, or http to this machine; without user name,
 * password and fragment. Nothing is mended.
 */
export function readAuthAddress(text: unknown): AuthAddress {
  if (typeof text !== "string" || text === "") return { problem: "it is missing" };
  if (text.length > MAX_ADDRESS) return { problem: `it is longer than ${MAX_ADDRESS} characters` };
  if (NOT_IN_ADDRESS.test(text)) return { problem: "it holds characters that no address has" };
  if (!URL.canParse(text)) return { problem: "it is not an absolute address" };
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { problem: `its scheme is “${cleanText(url.protocol, 30)}” and not https` };
  if (!/^https?:\/\/[^/]/i.test(text)) return { problem: "it is not an absolute address" };
  if (url.username !== "" || url.password !== "" || /^https?:\/\/[^/?#]*@/i.test(text))
    return { problem: "it holds a user name or a password" };
  if (text.includes("#")) return { problem: "it has a fragment" };
  if (isInsecure(url)) return { problem: "it is not https" };
  const problem = findDisguise(text);
  return problem === undefined ? { url } : { problem };
}

/** What `URL` would resolve: what is compared and connected to then would not be what is shown and sent. */
function findDisguise(text: string): string | undefined {
  if (/^https?:\/\/[^/?]*%/i.test(text)) return "its host is written with percent signs";
  const [address = ""] = text.split("?", 1);
  return DOTS.test(address) ? "its path has dots that lead upwards" : undefined;
}

/** True where what is sent can be read on the way: http beyond this machine. */
export function isInsecure(url: URL): boolean {
  return url.protocol !== "https:" && !isLoopbackHost(url.hostname);
}

/**
 * Reads the `issuer` of an authorization server: an address that has no query either (RFC 8414, section 2). It is shown to
 * people as it is written, so that a host in letters that only look like those of another one is not taken.
 */
export function readIssuerAddress(text: unknown): AuthAddress {
  const address = readAuthAddress(text);
  if ("problem" in address) return address;
  if ((text as string).includes("?")) return { problem: "it has a query" };
  if (/[^\x21-\x7e]/.test(text as string))
    return { problem: `it is not written in ASCII, as “${address.url.host}” would be` };
  return address;
}
