/**
 * The addresses at which an authorization server may publish its metadata, in the order of the specification: RFC 8414,
 * OpenID Connect with the path behind, and OpenID Connect with the path before. A slash at the end of the path is left
 * out of them. The root of a host is never asked about an issuer with a path: that is somebody else.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3.1
 */
export function listIssuerPlaces(issuer: URL): readonly URL[] {
  const path = issuer.pathname.replace(/\/$/, "");
  const texts = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
  ];
  if (path !== "") texts.push(`${path}/.well-known/openid-configuration`);
  // Put together as text: a path that begins with two slashes would be taken for a host.
  return texts.map((text) => new URL(issuer.origin + text));
}
