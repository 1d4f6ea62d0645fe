import assert from "node:assert/strict";
import { isAddress, isLoopbackHost } from "../../../src/net/hostAddress.ts";

function hostOf(authority: string): string {
  return new URL(`http://${authority}/`).hostname;
}

describe("isLoopbackHost", () => {
  for (const authority of [
    "localhost",
    "LOCALHOST:8080",
    "app.localhost",
    "localhost.",
    "app.localhost.",
    "127.0.0.1",
    "127.1",
    "127.200.3.4",
    "0x7f000001",
    "2130706433",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
  ]) {
    it(`takes ${authority} as this machine`, () => {
      assert.equal(isLoopbackHost(hostOf(authority)), true);
    });
  }
  for (const authority of [
    "example.com",
    "localhost.example.com",
    "notlocalhost",
    ".localhost.com",
    "127.0.0.1.example.com",
    "10.0.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "0.0.0.0",
    "[::]",
    "[fe80::1]",
    "[::ffff:10.0.0.1]",
  ]) {
    it(`does not take ${authority} as this machine`, () => {
      assert.equal(isLoopbackHost(hostOf(authority)), false);
    });
  }
});

describe("isAddress", () => {
  it("tells addresses from names", () => {
    assert.deepEqual(
      ["10.0.0.1", "[fe80::1]", "10.0.0.1.example.com", "example.com"].map((host) => isAddress(hostOf(host))),
      [true, true, false, false],
    );
  });
});
