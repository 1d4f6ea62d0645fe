import assert from "node:assert/strict";

import type { ProxyServer } from "../../../src/net/chooseProxy.ts";
import { NET_ERRORS, NetError, type NetErrorCode } from "../../../src/net/netError.ts";
import { toConnectError, toNetError, toProxyError } from "../../../src/net/toNetError.ts";

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
    ["SELF_SIGNED_CERT_IN_CHAIN", "tls-unknown-authority"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls-unknown-authority"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls-unknown-authority"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls-self-signed"],
    ["CERT_HAS_EXPIRED", "tls-expired"],
    ["CERT_NOT_YET_VALID", "tls-not-yet-valid"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls-wrong-host"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls-none"],
    ["ERR_SSL_PACKET_LENGTH_TOO_LONG", "tls-none"],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "tls-client-certificate"],
    ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "tls-client-certificate"],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "tls-client-certificate"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "tls"],
    ["ERR_HTTP2_STREAM_ERROR", "reset"],
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
    assert.equal(toNetError(wrapped, "http://h/", "demo").code, "tls-expired");
  });

  it("takes the word of the address that answered over that of one without a route", () => {
    const errors = [systemError("ENETUNREACH"), systemError("ECONNREFUSED")];
    const aggregate = Object.assign(new AggregateError(errors, ""), { code: "ENETUNREACH" });
    const error = toNetError(aggregate, "http://h/", "demo");
    assert.equal(error.code, "refused");
    assert.match(error.message, /ENETUNREACH; ECONNREFUSED/);
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
    assert.deepEqual(mayHaveRun, [
      "reset",
      "bad-http",
      "bad-encoding",
      "answer-too-large",
      "answer-timeout",
      "encoding-unwanted",
      "other",
    ]);
  });
});

describe("toConnectError", () => {
  it("says that nothing was sent when the connection closes while it is being made", () => {
    for (const code of ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "EWHATEVER"]) {
      const error = toConnectError(systemError(code), { server: "demo", host: "h:1" });
      assert.equal(error.code, "connect-closed");
      assert.equal(error.mayHaveRun, false);
    }
    assert.equal(toConnectError(systemError("ENOTFOUND"), { server: "demo", host: "h:1" }).code, "dns");
  });
});

describe("toProxyError", () => {
  const proxy: ProxyServer = { origin: "http://p:8080", authorization: "Basic secret", place: "HTTPS_PROXY" };

  it("names the proxy and what set it, and no secret", () => {
    const error = toProxyError(systemError("ECONNREFUSED"), { server: "demo", host: "h:1" }, proxy);
    assert.equal(error.code, "proxy-unreachable");
    assert.match(error.message, /http:\/\/p:8080 .*“demo”.*HTTPS_PROXY/);
    assert.doesNotMatch(JSON.stringify(error), /secret/);
    assert.equal(error.mayHaveRun, false);
  });

  it("tells a certificate from a missing host", () => {
    const target = { server: "demo", host: "h:1" };
    assert.equal(toProxyError(systemError("CERT_HAS_EXPIRED"), target, proxy).code, "proxy-tls");
  });
});
