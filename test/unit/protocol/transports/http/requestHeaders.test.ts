import assert from "node:assert/strict";

import { NetError } from "../../../../../src/net/netError.ts";
import {
  acceptedEncodings,
  mergeHeaders,
  readConfiguredHeaders,
} from "../../../../../src/protocol/transports/http/requestHeaders.ts";

describe("readConfiguredHeaders", () => {
  it("keeps headers with their names in lower case", () => {
    const { headers, ignored } = readConfiguredHeaders(
      { Authorization: "Bearer x", "X-Team": " a b " },
      "demo",
    );
    assert.deepEqual(headers, { "user-agent": "signalbox", authorization: "Bearer x", "x-team": "a b" });
    assert.deepEqual(ignored, []);
  });

  it("leaves out what the protocol owns, in any case", () => {
    const given = {
      ACCEPT: "x",
      "content-type": "x",
      Host: "x",
      "MCP-Protocol-Version": "x",
      "mcp-param-a": "x",
    };
    const { headers, ignored } = readConfiguredHeaders({ ...given, "Proxy-Authorization": "x" }, "demo");
    assert.deepEqual(Object.keys(headers), ["user-agent"]);
    assert.deepEqual(ignored, [...Object.keys(given), "Proxy-Authorization"]);
  });

  it("names a header that HTTP cannot carry, without its value", () => {
    for (const [name, value] of [
      ["X-Key", "secret\r\nX-Evil: 1"],
      ["X-Key", "sécret — 读"],
      ["X Key", "secret"],
      ["", "secret"],
    ] as const) {
      assert.throws(
        () => readConfiguredHeaders({ [name]: value }, "demo"),
        (error) =>
          error instanceof NetError && error.code === "invalid-header" && !/cret/.test(error.message),
      );
    }
  });
});

describe("mergeHeaders", () => {
  it("lets later sets win whatever the case", () => {
    assert.deepEqual(mergeHeaders({ "X-A": "1", b: "1" }, { "x-a": "2" }, { "X-a": "3" }), {
      "x-a": "3",
      b: "1",
    });
  });
});

describe("acceptedEncodings", () => {
  it("asks for encoded answers from other machines only", () => {
    assert.match(acceptedEncodings(new URL("https://a.test/"))["accept-encoding"] ?? "", /gzip/);
    for (const url of ["http://localhost:1/", "http://127.0.0.1:1/", "http://[::1]:1/"])
      assert.deepEqual(acceptedEncodings(new URL(url)), {});
  });
});
