/** What a person does on the pages of the authorization server. */
export interface PersonWish {
  /** Goes away at the question for consent. */
  readonly deny?: boolean;
  readonly account?: string;
}

/** Where the browser of the person ended. */
export interface PersonResult {
  /** The address that the authorization server sent the browser back to: it holds the code. */
  readonly callback: string;
  /** The page that the program which waits there answered with. */
  readonly status: number;
  readonly page: string;
}

const MOST_PAGES = 12;

/**
 * Signs in on the pages of `oidc-provider` as a browser would: with cookies, forms and redirects. Rejects when the pages
 * end anywhere else than with a redirect away from the authorization server, with the text of that page.
 * @param follow False leaves the callback address unvisited, for tests that paste it.
 */
export async function signInAsPerson(
  address: string,
  wish: PersonWish = {},
  follow = true,
): Promise<PersonResult> {
  const home = new URL(address).origin;
  const cookies = new Map<string, string>();
  let next: { readonly url: string; readonly form?: URLSearchParams } = { url: address };
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    if (new URL(next.url).origin !== home) return visitCallback(next.url, follow);
    const response = await fetch(next.url, {
      method: next.form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(next.form === undefined ? {} : { body: next.form }),
    });
    keepCookies(cookies, response.headers.getSetCookie());
    const page = await response.text();
    const location = response.headers.get("location");
    next = location === null ? fillIn(page, response, wish) : { url: new URL(location, next.url).href };
  }
  throw new Error("The pages of the authorization server never end.");
}

async function visitCallback(callback: string, follow: boolean): Promise<PersonResult> {
  if (!follow) return { callback, status: 0, page: "" };
  const response = await fetch(callback, { redirect: "manual", headers: { connection: "close" } });
  return { callback, status: response.status, page: await response.text() };
}

function keepCookies(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  }
}

function fillIn(
  page: string,
  response: Response,
  wish: PersonWish,
): { readonly url: string; readonly form?: URLSearchParams } {
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
  if (prompt === undefined || action === undefined) {
    throw new Error(
      `${response.url} ended with ${response.status}: ${page.replace(/<[^>]*>/g, " ").slice(0, 600)}`,
    );
  }
  const url = new URL(action, response.url).href;
  if (prompt === "consent" && wish.deny === true) return { url: `${url}/abort` };
  const login = wish.account ?? "someone";
  return {
    url,
    form: new URLSearchParams({ prompt, ...(prompt === "login" ? { login, password: "x" } : {}) }),
  };
}
