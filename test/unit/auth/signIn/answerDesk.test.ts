import assert from "node:assert/strict";

import { AnswerDesk } from "../../../../src/auth/signIn/answerDesk.ts";

function awaited(state: string, mayAskAgain = false) {
  return { state, issuer: "https://as.example", issInAnswers: false, mayAskAgain };
}

describe("the desk that takes an answer", () => {
  it("takes one answer, once", async () => {
    const desk = new AnswerDesk();
    const answer = desk.expect(awaited("s"));
    assert.equal(desk.hasTaken, false);
    assert.equal(desk.offer("code=c&state=other"), "unknown");
    assert.equal(desk.offer("code=c&state=s"), "taken");
    assert.equal(desk.offer("code=d&state=s"), "already");
    const taken = await answer;
    assert.equal(taken.kind === "code" && taken.checked.code, "c");
    assert.equal(desk.hasTaken, true);
  });

  it("says what becomes of a refusal", () => {
    const desk = new AnswerDesk();
    void desk.expect(awaited("1", true));
    assert.equal(desk.offer("error=invalid_scope&state=1"), "again");
    void desk.expect(awaited("2"));
    assert.equal(desk.offer("error=invalid_scope&state=1"), "already");
    assert.equal(desk.offer("error=invalid_scope&state=2"), "refused");
    void desk.expect(awaited("3", true));
    assert.equal(desk.offer("error=access_denied&state=3"), "refused");
    void desk.expect(awaited("4"));
    assert.equal(desk.offer("code=c&state=4&iss=https://evil.example"), "rejected");
  });

  it("takes nothing after the end", () => {
    const desk = new AnswerDesk();
    void desk.expect(awaited("s"));
    desk.close();
    assert.equal(desk.offer("code=c&state=s"), "unknown");
    assert.equal(desk.hasTaken, false);
  });
});
