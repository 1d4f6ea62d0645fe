import assert from "node:assert/strict";

import { chooseProxy, type ProxyChoice } from "../../../src/net/chooseProxy.ts";
import {
  type EditorNetworkSettings,
  type NetworkSettings,
  NO_EDITOR,
} from "../../../src/net/networkSettings.ts";

type Environment = NetworkSettings["environment"];

function choose(
  url: string,
  { own, editor, env }: { own?: string | false; editor?: Partial<EditorNetworkSettings>; env?: Environment },
): ProxyChoice {
  return chooseProxy(new URL(url), own, {
    editor: { ...NO_EDITOR, ...editor },
    environment: env ?? {},
  });
}

/** The choice in one line: the proxy and what named it. */
function show(choice: ProxyChoice): string {
  if (choice.kind === "proxy") return `${choice.proxy.origin} by ${choice.proxy.place}`;
  return choice.kind === "direct" ? "direct" : `unusable ${choice.place}: ${choice.reason}`;
}

describe("chooseProxy", () => {
  const env = { HTTPS_PROXY: "http://env-s:1", HTTP_PROXY: "http://env-h:2", ALL_PROXY: "http://all:3" };
  const editor = { proxy: "http://editor:8080" };
  const rows: readonly [name: string, url: string, given: Parameters<typeof choose>[1], expected: string][] =
    [
      ["nothing is set", "https://a.test", {}, "direct"],
      ["the variable of https", "https://a.test", { env }, "http://env-s:1 by HTTPS_PROXY"],
      ["the variable of http", "http://a.test", { env }, "http://env-h:2 by HTTP_PROXY"],
      [
        "https never takes the variable of http",
        "https://a.test",
        { env: { HTTP_PROXY: "http://env-h:2" } },
        "direct",
      ],
      ["the variable of all", "https://a.test", { env: { all_proxy: "p:3" } }, "http://p:3 by all_proxy"],
      [
        "lower case first",
        "https://a.test",
        { env: { ...env, https_proxy: "http://lower:1" } },
        "http://lower:1 by https_proxy",
      ],
      [
        "an empty variable is not set",
        "https://a.test",
        { env: { https_proxy: " ", ALL_PROXY: "all:3" } },
        "http://all:3 by ALL_PROXY",
      ],
      [
        "the editor before the environment",
        "https://a.test",
        { env, editor },
        "http://editor:8080 by http.proxy",
      ],
      [
        "the server before the editor",
        "https://a.test",
        { env, editor, own: "https://own" },
        "https://own by proxy",
      ],
      ["the server wants none", "https://a.test", { env, editor, own: false }, "direct"],
      [
        "the editor's support is off",
        "https://a.test",
        { env, editor: { ...editor, proxySupport: false } },
        "direct",
      ],
      [
        "off does not hold for the server's own",
        "https://a.test",
        { own: "http://own:1", editor: { proxySupport: false } },
        "http://own:1 by proxy",
      ],
      ["NO_PROXY", "https://a.test", { env: { ...env, NO_PROXY: "a.test" } }, "direct"],
      ["no_proxy first", "https://a.test", { env: { ...env, no_proxy: "a.test", NO_PROXY: "b" } }, "direct"],
      [
        "NO_PROXY against the editor's proxy",
        "https://a.test",
        { editor, env: { NO_PROXY: "a.test" } },
        "direct",
      ],
      [
        "http.noProxy against the environment's",
        "https://a.test",
        { editor: { noProxy: ["b", "a.test"] }, env },
        "direct",
      ],
      [
        "no exception from the server's own",
        "https://a.test",
        { own: "http://own:1", env: { NO_PROXY: "*" } },
        "http://own:1 by proxy",
      ],
      ["this machine, by name", "http://localhost:3000", { env, editor }, "direct"],
      ["this machine, by address", "http://127.0.0.1:3000", { env, editor }, "direct"],
      ["this machine, by IPv6", "http://[::1]:3000", { env, editor }, "direct"],
      ["this machine, said so", "http://[::1]:3000", { own: "http://own:1" }, "http://own:1 by proxy"],
      [
        "a scheme that is not spoken",
        "https://a.test",
        { env: { ALL_PROXY: "socks5://p:1080" } },
        "unusable ALL_PROXY: socks5: is neither http nor https",
      ],
      ["no address", "https://a.test", { own: "http://" }, "unusable proxy: it is not an address"],
    ];
  for (const [name, url, given, expected] of rows) {
    it(`${name}: ${expected}`, () => assert.equal(show(choose(url, given)), expected));
  }

  it("keeps user name and password out of what is shown", () => {
    const choice = choose("https://a.test", { env: { HTTPS_PROXY: "http://me:p%40ss@proxy:8080/" } });
    assert.deepEqual(choice, {
      kind: "proxy",
      proxy: {
        origin: "http://proxy:8080",
        authorization: `Basic ${btoa("me:p@ss")}`,
        place: "HTTPS_PROXY",
      },
    });
  });

  it("gives the editor's authorization to the proxies of the editor and the environment, never to another", () => {
    const own = { proxyAuthorization: "Bearer e" };
    const authorization = (choice: ProxyChoice): string | undefined =>
      choice.kind === "proxy" ? choice.proxy.authorization : "none";
    assert.equal(
      authorization(choose("https://a.test", { editor: { ...own, proxy: "http://p:1" } })),
      "Bearer e",
    );
    assert.equal(authorization(choose("https://a.test", { editor: own, env })), "Bearer e");
    assert.equal(
      authorization(choose("https://a.test", { editor: { ...own, proxy: "http://u@p:1" } })),
      `Basic ${btoa("u:")}`,
    );
    assert.equal(authorization(choose("https://a.test", { editor: own, own: "http://p:1" })), undefined);
  });
});
