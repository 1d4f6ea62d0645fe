import assert from "node:assert/strict";
import fc from "fast-check";

import { bypassesProxy } from "../../../src/net/bypassesProxy.ts";

describe("bypassesProxy", () => {
  const rows: readonly [entries: string, url: string, expected: boolean][] = [
    ["", "https://a.test/", false],
    ["*", "https://a.test/", true],
    ["a.test", "https://a.test/", true],
    ["A.Test", "https://a.TEST/", true],
    ["a.test", "https://b.a.test/", true],
    ["a.test", "https://ba.test/", false],
    ["a.test", "https://a.test.evil.example/", false],
    [".a.test", "https://b.a.test/", true],
    [".a.test", "https://a.test/", true],
    ["*.a.test", "https://b.a.test/", true],
    ["*.a.test", "https://a.test/", false],
    ["b.test, .a.test", "https://x.a.test/", true],
    ["b.test a.test", "https://a.test/", true],
    ["a.test.", "https://a.test/", true],
    ["a.test", "https://a.test./", true],
    ["a.test:443", "https://a.test/", true],
    ["a.test:443", "http://a.test/", false],
    ["a.test:80", "http://a.test/", true],
    ["a.test:8443", "https://a.test:8443/", true],
    ["a.test:8443", "https://a.test/", false],
    ["a.test", "https://a.test:8443/", true],
    ["https://a.test", "https://a.test/", true],
    ["10.1.2.3", "http://10.1.2.3/", true],
    ["10.1.2.3", "http://10.1.2.30/", false],
    ["2.3", "http://10.1.2.3/", false],
    ["10.0.0.0/8", "http://10.200.0.1/", true],
    ["10.0.0.0/8", "http://11.0.0.1/", false],
    ["10.0.0.0/8:8080", "http://10.0.0.1:8080/", true],
    ["10.0.0.0/8", "http://ten.test/", false],
    ["10.0.0.0/99", "http://10.0.0.1/", false],
    ["fd00::/8", "http://[fd12::1]/", true],
    ["fd00::/8", "http://[fe80::1]/", false],
    ["::1", "http://[::1]:9/", true],
    ["[::1]", "http://[0:0:0:0:0:0:0:1]/", true],
    ["[::1]:9", "http://[::1]:9/", true],
    ["[::1]:9", "http://[::1]:10/", false],
    ["[fd00::]/8:9", "http://[fd00::1]:9/", true],
    [".", "https://a.test/", false],
    ["a.test/x", "https://a.test/", false],
  ];
  for (const [entries, url, expected] of rows) {
    it(`“${entries}” ${expected ? "takes out" : "keeps"} ${url}`, () => {
      assert.equal(bypassesProxy(new URL(url), [entries]), expected);
    });
  }

  it("takes any text for a list", () => {
    const url = new URL("http://[fd00::1]:8080/");
    const part = fc.constantFrom(
      "*",
      ".",
      ":",
      "/",
      "[",
      "]",
      ",",
      " ",
      "a",
      "1",
      "::",
      "fd00::/8",
      "8080",
      "://",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string())), (parts) => {
        assert.equal(typeof bypassesProxy(url, [parts.join("")]), "boolean");
      }),
    );
  });

  it("reads several lists", () => {
    assert.equal(bypassesProxy(new URL("http://b.test/"), ["a.test", "c.test,b.test"]), true);
  });
});
