import http from "node:http";

/** The last page of a walk through redirects. */
export interface LastPage {
  /** Where it is: the address that a person would copy. */
  readonly url: string;
  readonly status: number;
  readonly body: string;
}

/** Goes where a browser would: follows redirects, without a person in between. */
export async function browse(url: string): Promise<LastPage> {
  let at = url;
  for (let steps = 0; steps < 10; steps += 1) {
    const page = await visit(at);
    if (page.location === undefined) return { url: at, status: page.status, body: page.body };
    at = new URL(page.location, at).href;
  }
  throw new Error("Too many redirects");
}

/** The address that a walk ends on, without visiting it: as where the listener of the client is out of reach. */
export async function findRedirect(url: string): Promise<string> {
  const { location } = await visit(url);
  if (location === undefined) throw new Error("No redirect");
  return new URL(location, url).href;
}

function visit(url: string): Promise<{ status: number; body: string; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" };
    const request = http.get(url, { agent: false, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (body += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body, location: response.headers.location }),
      );
      response.on("error", reject);
    });
    request.on("error", reject);
  });
}
