import assert from "node:assert/strict";

import { EngineError } from "../../../../../src/protocol/engineError.ts";
import {
  judgeBody,
  judgeRedirect,
  readHead,
  readRetryAfter,
} from "../../../../../src/protocol/transports/http/judgeAnswer.ts";

const context = { serverName: "demo", method: "tools/list" };
const RESULT = { jsonrpc: "2.0", id: 7, result: {} };
const errorWith = (id: unknown) => ({ jsonrpc: "2.0", id, error: { code: -32700, message: "parse error" } });

describe("judgeBody", () => {
  const rows: readonly [name: string, status: number, body: unknown, verdict: string][] = [
    ["takes a result", 200, RESULT, "response"],
    ["takes a result with its id as a text", 200, { ...RESULT, id: "7" }, "response"],
    ["takes an error", 200, errorWith(7), "response"],
    ["takes an error with a null id", 400, errorWith(null), "response"],
    ["takes an error without an id", 403, errorWith(undefined), "response"],
    ["takes an error with a foreign id on an error status", 400, errorWith("server-error"), "response"],
    ["takes an error without an id on 200", 200, errorWith(null), "response"],
    ["refuses an error with a foreign id on 200", 200, errorWith(8), "not-json-rpc"],
    ["refuses a result for another request", 200, { ...RESULT, id: 8 }, "not-json-rpc"],
    ["refuses an empty body", 200, "", "not-json-rpc"],
    ["refuses 202 for a request", 202, "", "not-json-rpc"],
    ["refuses 204 for a request", 204, "", "not-json-rpc"],
    ["refuses a page", 200, "<html></html>", "not-json-rpc"],
    ["refuses null", 200, null, "not-json-rpc"],
    ["refuses a batch", 200, [RESULT], "not-json-rpc"],
    ["refuses a notification", 200, { jsonrpc: "2.0", method: "x" }, "not-json-rpc"],
    ["asks for sign-in on 401 whatever the body is", 401, errorWith(null), "authorization-required"],
    ["asks for sign-in on 401", 401, "", "authorization-required"],
    ["is forbidden on 403", 403, "forbidden", "forbidden"],
    ["reports other statuses", 404, "<html></html>", "http-status"],
    ["reports a server error", 503, "", "http-status"],
    ["does not believe a result on an error status", 500, RESULT, "http-status"],
    ["reports a redirect that was not followed", 302, "", "http-status"],
  ];
  for (const [name, status, body, verdict] of rows) {
    it(name, () => {
      const head = readHead(status, { "content-type": "application/json" });
      const answer = judgeBody(head, typeof body === "string" ? body : JSON.stringify(body), 7, context);
      assert.equal(answer instanceof EngineError ? answer.code : "response", verdict);
      if (answer instanceof EngineError) assert.equal(answer.httpStatus, status);
    });
  }

  it("tells in the server's words what authorization it wants, and nothing that is for machines", () => {
    const head = readHead(401, {
      "www-authenticate": [
        'Bearer error="invalid_token", error_description="It expired"',
        'Digest nonce="n0nce"',
      ],
    });
    const answer = judgeBody(head, "go away", 7, context);
    assert.ok(answer instanceof EngineError);
    assert.equal(
      answer.detail,
      'WWW-Authenticate: bearer error="invalid_token" error_description="It expired"\nWWW-Authenticate: digest\ngo away',
    );
  });

  it("says what came instead, and keeps the start of it as evidence", () => {
    const answer = judgeBody(
      readHead(200, { "content-type": "Text/HTML; charset=x" }),
      "<html>".repeat(1_000),
      7,
      context,
    );
    assert.ok(answer instanceof EngineError);
    assert.match(answer.message, /“demo” answered tools\/list .*text\/html/);
    assert.equal(answer.detail?.length, 2_000);
  });
});

describe("statusError", () => {
  // Duty: 4.3.5
  it("names the status of a request that is too large, with the start of the answer", () => {
    for (const status of [413, 431]) {
      const error = judgeBody(readHead(status, {}), "<html>too large", 1, context);
      assert.ok(error instanceof EngineError);
      assert.equal(error.code, "http-status");
      assert.match(error.message, new RegExp(`HTTP ${status}`));
      assert.equal(error.detail, "<html>too large");
    }
  });
});

describe("readRetryAfter", () => {
  const now = Date.parse("Wed, 25 Nov 2026 12:00:00 GMT");
  const rows: readonly [status: number, value: string | undefined, expected: number | undefined][] = [
    [429, "30", 30],
    [503, "0", 0],
    [429, " 120 ", 120],
    [429, "Wed, 25 Nov 2026 12:01:30 GMT", 90],
    [503, "Wed, 25 Nov 2026 11:00:00 GMT", 0],
    [429, undefined, undefined],
    [429, "", undefined],
    [429, "-5", undefined],
    [429, "1.5", undefined],
    [429, "soon", undefined],
    [200, "30", undefined],
    [404, "30", undefined],
    [301, "30", undefined],
  ];
  for (const [status, value, expected] of rows) {
    it(`“${String(value)}” with ${String(status)} is ${String(expected)}`, () => {
      assert.equal(readRetryAfter({ status, retryAfter: value }, now), expected);
    });
  }

  // Duty: 15.1
  it("is told in the error, also where the body is a JSON-RPC error", () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32000, message: "slow down" } });
    const answer = judgeBody(readHead(429, { "retry-after": "7" }), body, 1, context);
    assert.ok(answer instanceof EngineError);
    assert.equal(answer.code, "busy");
    assert.match(answer.message, /HTTP 429.* 7 s/);
    assert.match(answer.detail ?? "", /slow down/);
  });
});

describe("judgeRedirect", () => {
  const from = new URL("https://mcp.test/mcp");
  const judge = (status: number, location: string | undefined, hops = 0) =>
    judgeRedirect(readHead(status, { location }), from, hops, context);

  it("follows 307 and 308 within the origin", () => {
    for (const status of [307, 308]) {
      const verdict = judge(status, "/other?x=1");
      assert.equal(verdict.kind === "follow" && verdict.url.href, "https://mcp.test/other?x=1");
    }
  });

  it("refuses another origin, by host, port or scheme, and shows no query", () => {
    for (const location of [
      "https://evil.test/a?secret=1",
      "https://mcp.test:444/a",
      "http://mcp.test/a",
      "//evil.test/a",
    ]) {
      for (const status of [301, 302, 303, 307, 308]) {
        const verdict = judge(status, location);
        assert.equal(verdict.kind === "refuse" && verdict.error.code, "redirected");
        assert.ok(verdict.kind === "refuse" && !verdict.error.message.includes("secret"));
      }
    }
  });

  it("leaves everything else to the status", () => {
    for (const verdict of [
      judge(301, "/a"),
      judge(302, "/a"),
      judge(307, undefined),
      judge(308, "/a", 3),
      judge(200, "/a"),
    ]) {
      assert.deepEqual(verdict, { kind: "none" });
    }
  });
});
