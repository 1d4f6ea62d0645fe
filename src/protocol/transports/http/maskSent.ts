import { isSecretHeader, Redactor } from "../../../base/redact.ts";

/** A session id tells nobody who the person is, and servers name it in errors. */
const NOT_TELLING = "mcp-session-id";
/** What is shorter could be a number that an error is made of: masking it would break the answer. */
const MIN_LENGTH = 8;

type Headers = Readonly<Record<string, string>>;

/**
 * A text of a server that failed, without the credentials that it was sent: some throw back what they got, and what they
 * say is shown to people and models, and logged.
 *
 * @param headers of the request, as the settings have them
 * @param authorization what was added to them to authorize it
 */
export function maskSent(text: string, headers: Headers, authorization: Headers): string {
  if (text === "") return text;
  const redactor = new Redactor();
  const secrets = [
    ...Object.entries(headers).flatMap(([name, value]) =>
      name !== NOT_TELLING && isSecretHeader(name) ? [value] : [],
    ),
    ...Object.values(authorization),
  ];
  // With the scheme before it, and without.
  for (const form of secrets.flatMap((secret) => [secret, secret.replace(/^\S+ +/, "")]))
    if (form.length >= MIN_LENGTH) redactor.add(form);
  return redactor.redact(text);
}
