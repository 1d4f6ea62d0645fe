import assert from "node:assert/strict";

import { NET_ERRORS, NetError, type NetErrorCode, toNetError } from "../../../src/net/netError.ts";

function systemError(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

describe("toNetError", () => {
  const rows: readonly [code: string, expected: NetErrorCode][] = [
    ["ENOTFOUND", "dns"],
    ["EAI_AGAIN", "dns"],
    ["ECONNREFUSED", "refused"],
    ["EHOSTUNREACH", "unreachable"],
    ["UND_ERR_CONNECT_TIMEOUT", "connect-timeout"],
    ["ETIMEDOUT", "connect-timeout"],
    ["ECONNRESET", "reset"],
    ["UND_ERR_SOCKET", "reset"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls"],
    ["UND_ERR_HEADERS_OVERFLOW", "bad-http"],
    ["EWHATEVER", "other"],
  ];
  for (const [code, expected] of rows) {
    it(`${code} is ${expected}`, () => {
      assert.equal(toNetError(systemError(code), "https://h.test:8443/mcp", "demo").code, expected);
    });
  }

  it("names server, host and cause, not the path", () => {
    const error = toNetError(
      systemError("ECONNREFUSED", "connect ECONNREFUSED ::1:8443"),
      "https://h.test:8443/mcp?key=1",
      "demo",
    );
    assert.match(error.message, /h\.test:8443/);
    assert.match(error.message, /“demo”/);
    assert.match(error.message, /ECONNREFUSED ::1:8443/);
    assert.doesNotMatch(error.message, /key=1/);
    assert.notEqual(error.remedy, undefined);
  });

  it("looks into causes and into all the addresses that were tried", () => {
    const aggregate = new AggregateError([systemError("ECONNREFUSED"), systemError("ENETUNREACH")], "");
    assert.equal(toNetError(aggregate, "http://h/", "demo").code, "refused");
    const wrapped = Object.assign(
      new Error("other side closed", { cause: systemError("CERT_HAS_EXPIRED") }),
      {
        code: "UND_ERR_SOCKET",
      },
    );
    assert.equal(toNetError(wrapped, "http://h/", "demo").code, "tls");
  });

  it("leaves its own kind as it is, and takes anything", () => {
    const own = new NetError("dns", { server: "a", host: "b", reason: "c" });
    assert.equal(toNetError(own, "http://x/", "d"), own);
    assert.equal(toNetError("odd", "not a url", "d").code, "other");
  });

  it("knows which failures come before anything was sent", () => {
    const mayHaveRun = (Object.keys(NET_ERRORS) as NetErrorCode[]).filter(
      (code) => new NetError(code, { server: "s" }).mayHaveRun,
    );
    assert.deepEqual(mayHaveRun, ["reset", "bad-http", "other"]);
  });
});
