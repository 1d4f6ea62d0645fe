import { request } from "node:http";
import type { Page } from "playwright-core";

const FORWARDED = /^http:\/\/([^/]+)\/proxy\/(\d+)(\/.*)$/;

interface Answer {
  readonly status: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: Buffer;
}

/**
 * Leads `/proxy/PORT/…` of the editor to that port of this machine, as code-server does it: with the prefix taken off
 * the path and the host left as it is. The build of VS Code that the tests use leaves this to code-server. It is done in
 * the browser's own protocol because what a redirect leads to passes by the routes of Playwright.
 */
export async function forwardPorts(tab: Page): Promise<void> {
  const session = await tab.context().newCDPSession(tab);
  session.on("Fetch.requestPaused", ({ requestId, request: asked }) => {
    void forward(asked.url, asked.headers).then(({ status, headers, body }) =>
      session.send("Fetch.fulfillRequest", {
        requestId,
        responseCode: status,
        responseHeaders: [...headers],
        body: body.toString("base64"),
      }),
    );
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/proxy/*" }] });
}

function forward(url: string, asked: Readonly<Record<string, string>>): Promise<Answer> {
  const [, host = "", port = "", path = "/"] = FORWARDED.exec(url) ?? [];
  const headers = { ...asked, host, connection: "close" };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: Number(port), path, headers });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const given = Object.entries(answer.headers).map(([name, value]) => ({ name, value: String(value) }));
        resolve({ status: answer.statusCode ?? 502, headers: given, body: Buffer.concat(chunks) });
      });
    });
    sent.end();
  });
}
