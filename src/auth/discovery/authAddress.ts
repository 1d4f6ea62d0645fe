import { isLoopbackHost } from "../../net/hostAddress.ts";
import { cleanText } from "../cleanText.ts";

/** Characters of an address. Longer ones are not used. */
export const MAX_ADDRESS = 2_048;

/** What no address holds unescaped. `URL` would quietly drop or mend some of it, so that another one came out. */
const NOT_IN_ADDRESS = /[\s\p{Cc}\p{Cf}<>"\\^`{|}]/u;

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
  return { url };
}

/** True where what is sent can be read on the way: http beyond this machine. */
export function isInsecure(url: URL): boolean {
  return url.protocol !== "https:" && !isLoopbackHost(url.hostname);
}

/** Reads the `issuer` of an authorization server: an address that has no query either (RFC 8414, section 2). */
export function readIssuerAddress(text: unknown): AuthAddress {
  const address = readAuthAddress(text);
  if ("url" in address && (text as string).includes("?")) return { problem: "it has a query" };
  return address;
}
