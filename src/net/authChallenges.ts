/** One way in which a server asks for authorization. */
export interface AuthChallenge {
  /** Lower case, as in `bearer`. */
  readonly scheme: string;
  /** What stands in place of parameters in some schemes, as in `negotiate`. */
  readonly token68?: string;
  /** By lower-case name, unquoted. */
  readonly params: ReadonlyMap<string, string>;
}

const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y;
const QUOTED = /"((?:[^"\\]|\\[^])*)"/y;
const EQUALS = /[ \t]*=[ \t]*/y;
const SPACES = /[ \t]+/y;
const SEPARATORS = /[ \t,]*/y;

/** Reads a text from left to right. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** What matches here, and goes past it. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at = pattern.lastIndex;
    return match;
  }

  /** Goes back to where it was before, when what was read turns out to be something else. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const before = this.#at;
    const found = read();
    if (found === undefined) this.#at = before;
    return found;
  }
}

/**
 * Reads the value of `WWW-Authenticate`, several headers of that name joined by commas. Empty elements are passed
 * over. A challenge with something that is no parameter, or with a parameter twice, is not used, and nothing after
 * what cannot be read: where one challenge ends and the next begins would be a guess. Linear in the length.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
export function parseAuthChallenges(value: string): readonly AuthChallenge[] {
  const reader = new Reader(value);
  const challenges: AuthChallenge[] = [];
  for (;;) {
    reader.take(SEPARATORS);
    const scheme = reader.take(TOKEN)?.[0].toLowerCase();
    if (scheme === undefined) return challenges;
    const rest = reader.take(SPACES) === undefined ? NOTHING : readRest(reader);
    if (!isBetween(reader)) return challenges;
    if (rest !== undefined) challenges.push({ scheme, ...rest });
  }
}

const NOTHING: Omit<AuthChallenge, "scheme"> = { params: new Map() };

/** Either one token68 or parameters; undefined when a parameter is there twice. */
function readRest(reader: Reader): Omit<AuthChallenge, "scheme"> | undefined {
  const token68 = reader.take(TOKEN68)?.[0];
  if (token68 !== undefined) return { token68, params: new Map() };
  const params = new Map<string, string>();
  let isTwice = false;
  for (let next = readParam(reader); next !== undefined; next = reader.attempt(() => readNext(reader))) {
    const [name, value] = next;
    isTwice ||= params.has(name);
    params.set(name, value);
  }
  return isTwice ? undefined : { params };
}

/** A further parameter of the same challenge; the name of a scheme is not followed by an equals sign. */
function readNext(reader: Reader): readonly [name: string, value: string] | undefined {
  return isBetween(reader) && reader.take(SEPARATORS) !== undefined ? readParam(reader) : undefined;
}

function readParam(reader: Reader): readonly [name: string, value: string] | undefined {
  return reader.attempt(() => {
    const name = reader.take(TOKEN)?.[0].toLowerCase();
    if (name === undefined || reader.take(EQUALS) === undefined) return undefined;
    const quoted = reader.take(QUOTED)?.[1]?.replaceAll(/\\([^])/g, "$1");
    const value = quoted ?? reader.take(TOKEN)?.[0];
    return value === undefined ? undefined : [name, value];
  });
}

/** True at the end and before a comma: where an element of the list may end. */
function isBetween(reader: Reader): boolean {
  reader.take(SPACES);
  return reader.isAtEnd || reader.attempt(() => reader.take(/,/y)) !== undefined;
}
