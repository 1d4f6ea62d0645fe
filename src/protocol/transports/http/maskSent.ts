import { isSecretHeader, Redactor } from "../../../base/redact.ts";

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
    ...Object.entries(headers).flatMap(([name, value]) => (isSecretHeader(name) ? [value] : [])),
    ...Object.values(authorization),
  ];
  for (const secret of secrets) {
    redactor.add(secret);
    // Without the scheme before it.
    redactor.add(secret.replace(/^\S+ +/, ""));
  }
  return redactor.redact(text);
}
