import { readAuthAddress } from "../discovery/authAddress.ts";

/**
 * True for what may be the address of a client metadata document, and with that a client id: https with a path, without
 * fragment, user name and dot segments, written as it is used.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 */
export function isMetadataUrl(text: string): boolean {
  const address = readAuthAddress(text);
  if ("problem" in address) return false;
  const { protocol, pathname, href } = address.url;
  // Anything that parsing changes, dot segments among it, would be another id than the one that was written.
  return protocol === "https:" && pathname !== "/" && href === text;
}
