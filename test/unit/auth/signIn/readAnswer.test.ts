import assert from "node:assert/strict";

import { readAnswer } from "../../../../src/auth/signIn/readAnswer.ts";

const ISSUER = "https://as.example/tenant";
const STATE = "the-state";

function read(query: string, issInAnswers = false) {
  return readAnswer(query, { state: STATE, issuer: ISSUER, issInAnswers });
}

/** The verdict as one word, or the problem of a rejected answer. */
function verdict(query: string, issInAnswers = false): string {
  const answer = read(query, issInAnswers);
  return answer.kind === "rejected" ? answer.problem : answer.kind;
}

const iss = (value: string): string => `&iss=${encodeURIComponent(value)}`;

describe("reading the answer of an authorization server", () => {
  it("takes the code of an answer that carries the state", () => {
    const answer = read(`code=a%2Fb+c&state=${STATE}&session_state=whatever`);
    assert.equal(answer.kind === "code" && answer.checked.code, "a/b c");
  });

  it("tells a refusal, cleaned, shortened and without the state that it quotes", () => {
    const description = `no\u202e <b>way</b>\u0007 ${STATE} ${"x".repeat(2000)}`;
    const answer = read(
      `error=access_denied&error_description=${encodeURIComponent(description)}&state=${STATE}`,
    );
    assert.ok(answer.kind === "refused");
    assert.equal(answer.error, "access_denied");
    assert.match(answer.description, /^no <b>way<\/b> … x+…$/);
    assert.equal(answer.description.length, 500);
  });

  // Duty: 16.6.3
  it("does not take an answer with another state, or with none, for its own", () => {
    for (const query of ["code=c", "code=c&state=", "code=c&state=other", `code=c&State=${STATE}`, "error=x"])
      assert.equal(verdict(query), "unknown", query);
    assert.equal(verdict(`code=c&state=${STATE}%20`), "unknown");
  });

  it("looks at nothing of a query that is too long for an answer", () => {
    assert.equal(verdict(`code=c&state=${STATE}&x=${"y".repeat(9000)}`), "unknown");
  });

  // Attack: 24
  // Duty: 16.6.4
  it("rejects an answer that does not name its issuer although the server announces that it does", () => {
    assert.equal(verdict(`code=c&state=${STATE}`, true), "iss-missing");
    assert.equal(verdict(`code=c&state=${STATE}&iss=`, true), "iss-missing");
    assert.equal(verdict(`error=access_denied&state=${STATE}`, true), "iss-missing");
    assert.equal(verdict(`code=c&state=${STATE}${iss(ISSUER)}`, true), "code");
  });

  // Attack: 25
  // Duty: 16.6.4
  it("rejects an answer of another issuer although the server announces nothing", () => {
    assert.equal(verdict(`code=c&state=${STATE}${iss("https://evil.example")}`), "iss-mismatch");
    assert.equal(verdict(`code=c&state=${STATE}&iss=`), "iss-mismatch");
    assert.equal(verdict(`code=c&state=${STATE}${iss(ISSUER)}`), "code");
    assert.equal(verdict(`code=c&state=${STATE}`), "code");
  });

  // Attack: 26
  // Duty: 16.6.4
  it("takes another spelling of the issuer for another issuer", () => {
    const spellings = [
      "https://as.example/tenant/",
      "https://AS.example/tenant",
      "HTTPS://as.example/tenant",
      "https://as.example:443/tenant",
      "https://as.example/%74enant",
      "https://as.example/./tenant",
      "https://as.example/tenant?",
      "https://as.example/tenant#",
      " https://as.example/tenant",
      "https://as.example/tenant\u200b",
    ];
    for (const spelling of spellings)
      for (const announced of [true, false])
        assert.equal(verdict(`code=c&state=${STATE}${iss(spelling)}`, announced), "iss-mismatch", spelling);
  });

  // Attack: 27
  it("rejects an answer that says two things at once", () => {
    assert.equal(verdict(`code=c&state=${STATE}&state=${STATE}`), "unknown");
    assert.equal(verdict(`code=c&state=${STATE}&state=other`), "unknown");
    assert.equal(verdict(`code=c&state=${STATE}${iss(ISSUER)}${iss(ISSUER)}`), "callback-invalid");
    assert.equal(
      verdict(`code=c&state=${STATE}${iss(ISSUER)}${iss("https://evil.example")}`),
      "callback-invalid",
    );
    assert.equal(verdict(`code=c&code=d&state=${STATE}`), "callback-invalid");
    assert.equal(verdict(`error=a&error=b&state=${STATE}`), "callback-invalid");
    assert.equal(verdict(`code=c&error=access_denied&state=${STATE}`), "callback-invalid");
    assert.equal(verdict(`code=&state=${STATE}`), "callback-invalid");
    assert.equal(verdict(`state=${STATE}`), "callback-invalid");
  });

  // Duty: 16.6.5
  it("believes no refusal before the issuer is known to be the right one", () => {
    const query = `error=access_denied&error_description=call+0800&state=${STATE}${iss("https://evil.example")}`;
    assert.deepEqual(read(query), { kind: "rejected", problem: "iss-mismatch" });
  });

  // Attack: 35
  it("recognizes an answer whose parameters are in a fragment or in a token", () => {
    assert.equal(verdict(""), "unreadable");
    assert.equal(verdict("response=eyJhbGciOiJub25lIn0.e30."), "unreadable");
    const wrapped = read(`response=eyJhbGciOiJub25lIn0.e30.&state=${STATE}`);
    assert.match(wrapped.kind === "rejected" && "reason" in wrapped ? wrapped.reason : "", /JARM/);
  });
});
