import { readAuthAddress } from "./authAddress.ts";

/** Whether metadata is about the endpoint, and if not, why. No setting makes an unusable one match. */
export type ResourceMatch =
  | { readonly matches: true }
  | { readonly matches: false; readonly reason: string; readonly isUnusable?: true };

/**
 * Holds the `resource` of metadata against the endpoint that it was found for. It has to be the endpoint, a path above
 * it by whole segments, or the whole origin: then a token for it is good for the endpoint, and nobody else can have
 * written it. Queries are no part of the identity. What the person has pinned has to be met exactly, and nothing else
 * counts then.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3.3
 */
export function matchResource(endpoint: URL, resource: string, pinned: string | undefined): ResourceMatch {
  const address = readAuthAddress(resource);
  if ("problem" in address) return { matches: false, reason: address.problem, isUnusable: true };
  if (pinned !== undefined && resource !== pinned)
    return { matches: false, reason: "the settings name another one" };
  if (pinned !== undefined) return { matches: true };
  if (address.url.origin !== endpoint.origin) return { matches: false, reason: "it is on another origin" };
  if (!isPathAbove(address.url.pathname, endpoint.pathname))
    return { matches: false, reason: "it is another path" };
  return { matches: true };
}

/** True for the same path and for one above it, by whole segments. A slash at the end makes no difference. */
function isPathAbove(above: string, path: string): boolean {
  const withSlash = (text: string): string => (text.endsWith("/") ? text : `${text}/`);
  return withSlash(path).startsWith(withSlash(above));
}
