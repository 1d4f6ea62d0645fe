import assert from "node:assert/strict";
import fc from "fast-check";
import { NetError } from "../../src/net/netError.ts";
import { modernHeaders } from "../../src/protocol/eras/modern/envelope.ts";
import { encodeHeaderValue } from "../../src/protocol/transports/http/headerValue.ts";
import { readConfiguredHeaders } from "../../src/protocol/transports/http/requestHeaders.ts";
import { forAll } from "./support/forAll.ts";
import { asUtf8, decodeHeaderValue, LEGAL_HEADER_VALUE, textCases } from "./support/headerCases.ts";
import { anyObject } from "./support/messageCases.ts";

// Duty: 4.3.1, 4.3.2, 4.3.4
describe("fuzz: values of Mcp headers", () => {
  it("carry any text unchanged through a legal header", () => {
    forAll(textCases, (value) => {
      const encoded = encodeHeaderValue(value);
      assert.match(encoded, LEGAL_HEADER_VALUE);
      assert.equal(decodeHeaderValue(encoded), asUtf8(value));
    });
  });

  it("stay readable where nothing needs encoding", () => {
    forAll(fc.stringMatching(/^[\x21-\x7e](?:[\x20-\x7e]{0,20}[\x21-\x7e])?$/), (value) => {
      const isAmbiguous = value.startsWith("=?base64?") && value.endsWith("?=");
      assert.equal(encodeHeaderValue(value) === value, !isAmbiguous);
    });
  });

  // Duty: 4.1.4, 4.1.5, 4.1.6, 7.1.4
  it("name what the request names, and only there", () => {
    const methods = fc.constantFrom("tools/call", "prompts/get", "resources/read", "tools/list", "ping");
    forAll(fc.tuple(methods, textCases, textCases, anyObject), ([method, name, uri, more]) => {
      const headers = modernHeaders(method, { ...more, name, uri }, {});
      assert.equal(headers["MCP-Protocol-Version"], "2026-07-28");
      assert.equal(headers["Mcp-Method"], method);
      const named =
        method === "resources/read"
          ? uri
          : method === "tools/call" || method === "prompts/get"
            ? name
            : undefined;
      const { "Mcp-Name": sent } = headers;
      assert.equal(
        sent === undefined ? undefined : decodeHeaderValue(sent),
        named === undefined ? undefined : asUtf8(named),
      );
      for (const value of Object.values(headers)) assert.match(value, LEGAL_HEADER_VALUE);
    });
  });
});

describe("fuzz: headers of a configuration", () => {
  it("are sent as they are, or refused by name, and never change what the protocol says", () => {
    const name = fc.oneof(
      fc.constantFrom(
        "Authorization",
        "X-Key",
        "HOST",
        "Content-Type",
        "mcp-method",
        "Mcp-Session-Id",
        "a b",
        "é",
        "",
      ),
      fc.string({ maxLength: 8 }),
    );
    forAll(fc.dictionary(name, textCases, { maxKeys: 4, noNullPrototype: true }), (configured) => {
      let read;
      try {
        read = readConfiguredHeaders(configured, "s");
      } catch (error) {
        assert.ok(error instanceof NetError && error.code === "invalid-header", String(error));
        return;
      }
      for (const [header, value] of Object.entries(read.headers)) {
        assert.match(header, /^[!#$%&'*+\-.^_`|~0-9a-z]+$/);
        assert.match(value, /^[\t\x20-\x7e\x80-\xff]*$/);
        assert.doesNotMatch(header, /^(?:mcp-|host$|content-|transfer-encoding$|connection$)/);
      }
    });
  });
});
