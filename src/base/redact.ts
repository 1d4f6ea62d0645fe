const MASK = "•••";

/** Header names whose values are credentials wherever they appear. Lower case. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "mcp-session-id",
  "x-api-key",
  "api-key",
]);

/** Query parameters and variable names that usually hold credentials. */
const SECRET_NAME =
  /token|secret|passw|api[-_]?key|credential|authorization|private[-_]?key|signature|\bsig\b/i;

/** True when a header's value must not be written anywhere. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.has(name.toLowerCase()) || SECRET_NAME.test(name);
}

/** A URL with user information and credential-like query values masked. Text that is no URL comes back unchanged. */
export function redactUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    url.username = MASK;
    url.password = "";
  }
  for (const name of [...url.searchParams.keys()]) {
    if (SECRET_NAME.test(name)) url.searchParams.set(name, MASK);
  }
  return readable(url.href);
}

/** Escapes as the characters that they stand for, where all of them can be read. */
function readable(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href.replaceAll(encodeURIComponent(MASK), MASK);
  }
}

/** Tokens are replaced every few minutes for as long as a window is open. */
const MAX_PASSING = 256;

/**
 * Masks known secret values wherever they stand in a text.
 * Values shorter than four characters are left alone: masking them would destroy ordinary words.
 */
export class Redactor {
  readonly #kept = new Set<string>();
  /** The one that was added longest ago comes first. */
  readonly #passing = new Set<string>();
  /** Each secret in all the ways it may be written, longest first, so that a part of one never spares the rest. */
  #forms: readonly string[] = [];

  add(secret: string): void {
    if (secret.length < 4 || this.#kept.has(secret)) return;
    this.#kept.add(secret);
    this.#spell();
  }

  /** The same for a secret that others will replace, as a token: only so many of the last ones are known. */
  addPassing(secret: string): void {
    if (secret.length < 4) return;
    const isNew = !this.#passing.delete(secret);
    this.#passing.add(secret);
    for (const oldest of this.#passing) {
      if (this.#passing.size <= MAX_PASSING) break;
      this.#passing.delete(oldest);
    }
    if (isNew) this.#spell();
  }

  redact(text: string): string {
    let out = text;
    for (const form of this.#forms) out = out.replaceAll(form, MASK);
    return out;
  }

  #spell(): void {
    const forms = new Set([...this.#kept, ...this.#passing].flatMap(spellings));
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
  }
}

/** A text as it is, as it stands in JSON, in an address, in a form, and in a form that was read without care. */
function spellings(text: string): readonly string[] {
  const inJson = JSON.stringify(text).slice(1, -1);
  const inForm = new URLSearchParams({ _: text }).toString().slice(2);
  return [text, inJson, inForm, inForm.replaceAll("+", "%20"), text.replaceAll(" ", "+")];
}
