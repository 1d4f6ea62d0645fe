import assert from "node:assert/strict";
import { readOAuthAnswer } from "../../../../src/auth/token/readOAuthAnswer.ts";
import type { PinnedResponse } from "../../../../src/net/pinnedRequest.ts";
import { answer } from "../../../support/authFixtures.ts";

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };

describe("readOAuthAnswer", () => {
  const successes: readonly [name: string, response: PinnedResponse, fields: object][] = [
    ["JSON", answer(200, '{"access_token":"t"}', JSON_TYPE), { access_token: "t" }],
    ["JSON with 201", answer(201, '{"request_uri":"u"}', JSON_TYPE), { request_uri: "u" }],
    ["JSON without a type", answer(200, '{"access_token":"t"}'), { access_token: "t" }],
    [
      "JSON as text, after a byte order mark",
      answer(200, ' \uFEFF{"a":"t"}'.trim(), { "content-type": "text/plain" }),
      { a: "t" },
    ],
    [
      "a vendor's kind of JSON",
      answer(200, '{"a":1}', { "content-type": "application/vnd.x+json" }),
      { a: 1 },
    ],
    ["JSON with nulls", answer(200, '{"a":"t","refresh_token":null,"error":null}', JSON_TYPE), { a: "t" }],
    ["JSON with an empty error", answer(200, '{"a":"t","error":""}', JSON_TYPE), { a: "t", error: "" }],
    [
      "JSON in spite of a challenge",
      answer(200, '{"a":"t"}', { ...JSON_TYPE, "www-authenticate": 'Bearer error="x"' }),
      { a: "t" },
    ],
    ["an empty success", answer(200), {}],
    ["no content", answer(204), {}],
    [
      "a form",
      answer(
        200,
        "access_token=t1&expires_in=28800&refresh_token=r1&scope=repo%2Cgist&token_type=bearer",
        FORM_TYPE,
      ),
      {
        access_token: "t1",
        expires_in: "28800",
        refresh_token: "r1",
        scope: "repo,gist",
        token_type: "bearer",
      },
    ],
  ];
  for (const [name, response, fields] of successes) {
    it(`reads ${name}`, () => {
      assert.deepEqual(readOAuthAnswer(response), { kind: "fields", status: response.status, fields });
    });
  }

  const challenge = 'Basic realm="x", Bearer error="invalid_token"';
  const errors: readonly [name: string, response: PinnedResponse, error: string, description: string][] = [
    [
      "an error",
      answer(400, '{"error":"invalid_grant","error_description":"gone"}', JSON_TYPE),
      "invalid_grant",
      "gone",
    ],
    [
      "an error with success as its status",
      answer(200, '{"error":"bad","error_description":"why","access_token":"t"}', JSON_TYPE),
      "bad",
      "why",
    ],
    [
      "an error in a form",
      answer(200, "error=bad_verification_code", FORM_TYPE),
      "bad_verification_code",
      "",
    ],
    [
      "the error of the body rather than that of the challenge",
      answer(401, '{"error":"invalid_client"}', { ...JSON_TYPE, "www-authenticate": challenge }),
      "invalid_client",
      "",
    ],
    [
      "the error of a challenge when the body has none",
      answer(401, "<html>", { "www-authenticate": challenge }),
      "invalid_token",
      "",
    ],
    ["an error as an object", answer(400, '{"error":{"code":7,"message":"no"}}', JSON_TYPE), "7", "no"],
    ["an error without a name", answer(400, '{"error":true}', JSON_TYPE), "unknown_error", ""],
    ["an error with a broken description", answer(400, '{"error":"e","error_description":[1]}'), "e", ""],
  ];
  for (const [name, response, error, description] of errors) {
    it(`reads ${name}`, () => {
      const { status } = response;
      assert.deepEqual(readOAuthAnswer(response), { kind: "error", status, error, description });
    });
  }

  const oddities: readonly [name: string, response: PinnedResponse, reason: RegExp][] = [
    ["a redirect", answer(307, "", { location: "https://evil.test" }), /redirect \(HTTP 307\)/],
    ["a redirect with a token", answer(302, '{"access_token":"t"}', JSON_TYPE), /redirect/],
    ["a page", answer(400, "<!DOCTYPE html><p>s3cret", { "content-type": "text/html" }), /400 with a page/],
    ["a page that calls itself JSON", answer(200, "<html>s3cret", JSON_TYPE), /200 with a page/],
    ["broken JSON", answer(200, '{"access_token":"s3cret', JSON_TYPE), /JSON that cannot be used/],
    ["an array", answer(200, '["s3cret"]', JSON_TYPE), /JSON that cannot be used/],
    ["a text", answer(200, '"s3cret"', JSON_TYPE), /JSON that cannot be used/],
    ["nothing with a failure", answer(503), /HTTP 503 without a body/],
    ["tokens with a failure", answer(400, '{"access_token":"s3cret"}', JSON_TYPE), /HTTP 400/],
    ["a form that says a thing twice", answer(200, "access_token=s3cret&access_token=b", FORM_TYPE), /200/],
    [
      "very deep JSON",
      answer(200, `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}`, JSON_TYPE),
      /JSON that cannot be used/,
    ],
  ];
  for (const [name, response, reason] of oddities) {
    it(`refuses ${name} and quotes nothing of it`, () => {
      const read = readOAuthAnswer(response);
      assert.ok(read.kind === "odd");
      assert.match(read.reason, reason);
      assert.doesNotMatch(read.reason, /s3cret/);
    });
  }
});
