import assert from "node:assert/strict";

import { judgeRequest, type RequestFacts } from "../../../../src/auth/loopback/judgeRequest.ts";

const PLACE = {
  path: "/callback/r4nd0m",
  hosts: new Set(["127.0.0.1:41737", "code.example"]),
  outerPaths: ["/user/bob/proxy/41737/callback/r4nd0m"],
};

function judge(change: Partial<RequestFacts>): string | number {
  const verdict = judgeRequest(
    {
      method: "GET",
      target: "/callback/r4nd0m?code=c&state=s",
      host: "127.0.0.1:41737",
      destination: "document",
      ...change,
    },
    PLACE,
  );
  return verdict.kind === "candidate" ? verdict.query : verdict.status;
}

describe("judging a request to the listener", () => {
  it("lets through what a browser sends when a person is led here", () => {
    assert.equal(judge({}), "code=c&state=s");
    assert.equal(judge({ destination: undefined }), "code=c&state=s");
    assert.equal(judge({ target: "/callback/r4nd0m" }), "");
    assert.equal(judge({ target: "/callback/r4nd0m?a=?&b" }), "a=?&b");
    assert.equal(judge({ host: "Code.Example" }), "code=c&state=s");
  });

  it("knows its path with what a proxy has left before it", () => {
    for (const path of ["/proxy/41737/callback/r4nd0m", "/user/bob/proxy/41737/callback/r4nd0m"])
      assert.equal(judge({ target: `${path}?x=1`, host: "code.example" }), "x=1", path);
    for (const path of ["/evil/callback/r4nd0m", "proxy/41737/callback/r4nd0m", "/7/callback/r4nd0m"])
      assert.equal(judge({ target: `${path}?x=1`, host: "code.example" }), 404, path);
  });

  // Attack: 34
  it("refuses everything else", () => {
    assert.equal(judge({ method: "POST" }), 405);
    assert.equal(judge({ method: "HEAD" }), 405);
    assert.equal(judge({ method: "OPTIONS" }), 405);
    assert.equal(judge({ target: "/" }), 404);
    assert.equal(judge({ target: "/callback/..?x=1" }), 404);
    assert.equal(judge({ target: "/callback/x/../r4nd0m?x=1" }), 404);
    assert.equal(judge({ target: "/callback/r4nd0m/?x=1" }), 404);
    assert.equal(judge({ target: "/callback/%720nd0m?x=1" }), 404);
    assert.equal(judge({ target: "http://127.0.0.1:41737/callback/r4nd0m?x=1" }), 404);
    assert.equal(judge({ host: undefined }), 403);
    assert.equal(judge({ host: "evil.example:41737" }), 403);
    assert.equal(judge({ host: "127.0.0.1" }), 403);
    assert.equal(judge({ host: "localhost:41737" }), 403);
    for (const destination of ["image", "iframe", "script", "empty", "object", ""])
      assert.equal(judge({ destination }), 403, destination);
    assert.equal(judge({ target: `/callback/r4nd0m?${"x".repeat(8192)}` }), 414);
  });
});
