import assert from "node:assert/strict";

import { readAddressRanges } from "../../../src/net/addressRanges.ts";
import { NetError, type NetErrorCode } from "../../../src/net/netError.ts";
import { NO_EDITOR, type NetworkSettings } from "../../../src/net/networkSettings.ts";
import {
  blameEnvironment,
  checkPinnedRoute,
  findPinnedRoute,
  type PinnedRouteOptions,
} from "../../../src/net/pinnedRoute.ts";
import { readPinnedUrl } from "../../../src/net/pinnedUrl.ts";
import type { Zone } from "../../../src/net/zones.ts";

const EVERY_PROXY = {
  http_proxy: "http://env.test:1",
  https_proxy: "http://env.test:1",
  HTTP_PROXY: "http://env.test:1",
  HTTPS_PROXY: "http://env.test:1",
  ALL_PROXY: "http://env.test:1",
  NODE_USE_ENV_PROXY: "1",
};

function optionsWith(
  given: Partial<PinnedRouteOptions> = {},
): PinnedRouteOptions & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    serverName: "demo",
    route: {},
    network: { editor: NO_EDITOR, environment: {} },
    fakeRanges: readAddressRanges([]),
    ...given,
    asked,
    resolve: async (host) => {
      asked.push(host);
      return await (given.resolve?.(host) ?? ["8.8.8.8"]);
    },
  };
}

const editorProxy = (more: Partial<NetworkSettings["editor"]> = {}): Pick<PinnedRouteOptions, "network"> => ({
  network: { editor: { ...NO_EDITOR, proxy: "http://corp.test:3128", ...more }, environment: {} },
});

async function codeOf(work: Promise<unknown>): Promise<NetErrorCode | undefined> {
  return await work.then(
    () => undefined,
    (error: unknown) => (error instanceof NetError ? error.code : assert.fail(String(error))),
  );
}

describe("findPinnedRoute", () => {
  it("asks once about a name, and never about addresses and localhost", async () => {
    const options = optionsWith();
    const route = await findPinnedRoute(new URL("https://as.test/x"), options);
    assert.deepEqual(route, { zone: "public", proxy: undefined, addresses: ["8.8.8.8"] });
    assert.deepEqual(options.asked, ["as.test"]);
    for (const host of ["10.0.0.1", "[::1]", "localhost", "LOCALHOST.", "0x7f.1"]) {
      await findPinnedRoute(new URL(`https://${host}/`), options);
    }
    assert.deepEqual(options.asked, ["as.test"]);
  });

  // Attack: 78
  it("leaves the proxies of the environment aside", async () => {
    const options = optionsWith({ network: { editor: NO_EDITOR, environment: EVERY_PROXY } });
    for (const scheme of ["http", "https"]) {
      assert.equal((await findPinnedRoute(new URL(`${scheme}://as.test/`), options)).proxy, undefined);
    }
  });

  it("takes the proxy of the editor, and asks nobody then: the proxy decides", async () => {
    const options = optionsWith(editorProxy());
    const { zone, proxy } = await findPinnedRoute(new URL("https://as.test/"), options);
    assert.deepEqual([zone, proxy?.origin, proxy?.place], ["public", "http://corp.test:3128", "http.proxy"]);
    assert.deepEqual(options.asked, []);
  });

  it("takes the server's own proxy before that, and none where it says so", async () => {
    const options = optionsWith({ ...editorProxy(), route: { proxy: "http://own.test:1" } });
    assert.equal((await findPinnedRoute(new URL("https://as.test/"), options)).proxy?.place, "proxy");
    const none = optionsWith({ ...editorProxy(), route: { proxy: false } });
    assert.equal((await findPinnedRoute(new URL("https://as.test/"), none)).proxy, undefined);
    assert.deepEqual(none.asked, ["as.test"]);
  });

  it("goes around the editor's proxy where a list of exceptions says so, and judges then", async () => {
    const resolve = async (): Promise<string[]> => ["10.0.0.1"];
    const inList = optionsWith({ ...editorProxy({ noProxy: [".corp.test"] }), resolve });
    assert.equal((await findPinnedRoute(new URL("https://as.corp.test/"), inList)).zone, "private");
    const network = { ...editorProxy().network, environment: { ...EVERY_PROXY, NO_PROXY: "as.test" } };
    const inEnvironment = optionsWith({ network, resolve });
    const route = await findPinnedRoute(new URL("https://as.test/"), inEnvironment);
    assert.deepEqual([route.zone, route.proxy], ["private", undefined]);
    const off = optionsWith({ ...editorProxy({ proxySupport: false }), resolve });
    assert.equal((await findPinnedRoute(new URL("https://as.test/"), off)).proxy, undefined);
  });

  it("judges addresses and localhost although there is a proxy", async () => {
    const rows: readonly [host: string, zone: Zone][] = [
      ["10.0.0.1", "private"],
      ["169.254.169.254", "link-local"],
      ["localhost", "loopback"],
      ["[::ffff:7f00:1]", "loopback"],
      ["8.8.8.8", "public"],
    ];
    for (const [host, zone] of rows) {
      const options = optionsWith({ route: { proxy: "http://own.test:1" } });
      const route = await findPinnedRoute(new URL(`https://${host}/`), options);
      assert.deepEqual([route.zone, route.proxy?.origin], [zone, "http://own.test:1"], host);
    }
    const blocked = optionsWith({ route: { proxy: "http://own.test:1" } });
    assert.equal(await codeOf(findPinnedRoute(new URL("https://0.0.0.0/"), blocked)), "zone-blocked");
  });

  const failures: readonly [
    name: string,
    answer: () => Promise<readonly string[]>,
    code: NetErrorCode,
    words: RegExp,
  ][] = [
    [
      "no such name",
      () => Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" })),
      "dns",
      /as\.test/,
    ],
    ["an odd resolver", () => Promise.reject(new Error("odd")), "dns", /odd/],
    ["no address", async () => [], "dns", /no address/],
    ["several zones", async () => ["8.8.8.8", "10.0.0.7"], "zone-mixed", /8\.8\.8\.8, 10\.0\.0\.7/],
    ["a blocked address", async () => ["224.0.0.1"], "zone-blocked", /224\.0\.0\.1/],
    ["a word", async () => ["localhost"], "zone-blocked", /localhost/],
    [
      "a fake address",
      async () => ["198.18.0.9"],
      "fake-address",
      /198\.18\.0\.9.*signalbox\.oauth\.fakeIpRanges/,
    ],
  ];
  for (const [name, resolve, code, words] of failures) {
    // Attack: 75
    it(`refuses ${name}: ${code}`, async () => {
      await assert.rejects(
        findPinnedRoute(new URL("https://as.test/"), optionsWith({ resolve })),
        (error) => {
          assert.ok(error instanceof NetError && error.code === code, String(error));
          assert.equal(error.mayHaveRun, false);
          assert.match(`${error.message} ${error.remedy ?? ""}`, words);
          assert.match(error.message, /“demo”/);
          return true;
        },
      );
    });
  }

  it("takes fake addresses of the set ranges for public ones", async () => {
    const options = optionsWith({
      resolve: async () => ["198.18.0.9"],
      fakeRanges: readAddressRanges(["198.18.0.0/15"]),
    });
    assert.equal((await findPinnedRoute(new URL("https://as.test/"), options)).zone, "public");
    assert.equal(await codeOf(findPinnedRoute(new URL("https://198.18.0.9/"), options)), "zone-blocked");
  });
});

describe("checkPinnedRoute", () => {
  const proxyAt = (origin: string) => ({ origin, authorization: undefined, place: "proxy" });
  const rows: readonly [
    url: string,
    from: Zone,
    zone: Zone,
    proxy: string | undefined,
    code: NetErrorCode | undefined,
  ][] = [
    ["https://as.test/", "public", "public", undefined, undefined],
    ["https://as.test/", "public", "private", undefined, "zone-escalation"],
    ["https://as.test/", "private", "loopback", undefined, "zone-escalation"],
    ["https://as.test/", "loopback", "link-local", undefined, "zone-escalation"],
    ["https://as.test/", "link-local", "private", undefined, "zone-escalation"],
    ["http://as.test/", "public", "private", undefined, "zone-escalation"],
    ["http://as.test/", "public", "public", undefined, "insecure"],
    ["http://as.test/", "private", "private", undefined, "insecure"],
    ["http://as.test/", "link-local", "link-local", undefined, "insecure"],
    ["http://as.test/", "loopback", "loopback", undefined, undefined],
    ["http://localhost/", "loopback", "loopback", "http://127.0.0.1:1", undefined],
    ["http://localhost/", "loopback", "loopback", "http://corp.test:1", "insecure"],
    ["https://localhost/", "loopback", "loopback", "http://corp.test:1", undefined],
    ["https://10.0.0.1/", "public", "private", "http://corp.test:1", "zone-escalation"],
    ["http://as.test/", "public", "public", "http://127.0.0.1:1", "insecure"],
  ];
  for (const [url, from, zone, proxy, code] of rows) {
    // Attack: 73, 80
    it(`${url} in ${zone}, from ${from}, ${proxy ?? "directly"}: ${code ?? "goes"}`, () => {
      const route = { zone, proxy: proxy === undefined ? undefined : proxyAt(proxy), addresses: [] };
      const check = (): void => checkPinnedRoute(new URL(url), from, route, "demo");
      if (code === undefined) check();
      else
        assert.throws(
          check,
          (error) => error instanceof NetError && error.code === code && !error.mayHaveRun,
        );
    });
  }
});

describe("blameEnvironment", () => {
  const url = new URL("https://as.test/");
  const failed = new NetError("dns", { server: "demo", host: "as.test", reason: "ENOTFOUND" });
  const set = { network: { editor: NO_EDITOR, environment: { HTTPS_PROXY: "http://env.test:1" } } };

  it("names the proxy that was left aside where a host cannot be reached", () => {
    const error = blameEnvironment(failed, url, optionsWith(set));
    assert.ok(error instanceof NetError && error.code === "environment-proxy");
    assert.match(error.message, /as\.test.*ENOTFOUND.*HTTPS_PROXY/);
    assert.match(error.remedy ?? "", /http\.proxy/);
    assert.equal(error.mayHaveRun, false);
  });

  it("leaves everything else as it is", () => {
    assert.equal(blameEnvironment(failed, url, optionsWith()), failed);
    assert.equal(blameEnvironment(failed, url, optionsWith({ ...set, route: { proxy: false } })), failed);
    assert.equal(blameEnvironment(failed, new URL("https://localhost/"), optionsWith(set)), failed);
    const late = new NetError("answer-timeout", { server: "demo", host: "as.test", seconds: 10 });
    assert.equal(blameEnvironment(late, url, optionsWith(set)), late);
    const both = { ...set.network, editor: { ...NO_EDITOR, proxy: "http://corp.test:1" } };
    assert.equal(blameEnvironment(failed, url, optionsWith({ network: both })), failed);
  });
});

describe("readPinnedUrl", () => {
  for (const text of ["https://as.test/x?y=1", "http://127.0.0.1:8080/", "https://[::1]/"]) {
    it(`takes ${text}`, () => assert.equal(readPinnedUrl(text, "demo").href, text));
  }
  for (const text of [
    "",
    "/token",
    "//as.test/token",
    "as.test",
    "https://",
    "https://user@as.test/",
    "https://user:secret-1@as.test/",
    "https://:secret-1@as.test/",
    "https://as.test/#",
    "https://as.test/#secret-1",
    "ftp://as.test/",
    "file:///etc/passwd",
    "data:,secret-1",
    "javascript:alert(1)",
    "vscode://x/y",
    "unix:///var/run/docker.sock",
  ]) {
    // Attack: 17
    it(`refuses “${text}”, and does not repeat it`, () => {
      assert.throws(
        () => readPinnedUrl(text, "demo"),
        (error) => {
          assert.ok(error instanceof NetError && error.code === "address-refused", String(error));
          assert.doesNotMatch(error.message, /secret-1|passwd|alert/);
          return !error.mayHaveRun;
        },
      );
    });
  }
});
