import assert from "node:assert/strict";
import {
  acceptedLegacyRevisions,
  chooseRetryRevision,
  initializeParams,
  readInitializeResult,
} from "../../../../src/protocol/eras/legacy/handshake.ts";

const client = { name: "signalbox", version: "1" };

describe("acceptedLegacyRevisions", () => {
  it("refuses old revisions by default", () => {
    assert.deepEqual(acceptedLegacyRevisions("2025-06-18"), ["2025-11-25", "2025-06-18"]);
  });
  it("goes down to the minimum that the user allowed", () => {
    assert.deepEqual(acceptedLegacyRevisions("2025-03-26"), ["2025-11-25", "2025-06-18", "2025-03-26"]);
  });
  // Duty: 2.1.1, 2.4.2
  it("knows no legacy revision above the modern one", () => {
    assert.deepEqual(acceptedLegacyRevisions("2026-07-28"), []);
  });
});

describe("readInitializeResult", () => {
  const accepted = acceptedLegacyRevisions("2025-06-18");
  it("accepts an older revision that it speaks", () => {
    const handshake = readInitializeResult({ protocolVersion: "2025-06-18", capabilities: {} }, accepted);
    assert.equal(handshake.kind === "accepted" && handshake.facts.revision, "2025-06-18");
  });
  for (const version of ["2024-11-05", "2024-10-07", "2099-01-01", "2026-07-28"]) {
    // Duty: 2.1.16, 2.4.3
    it(`refuses ${version} and names it`, () => {
      assert.deepEqual(readInitializeResult({ protocolVersion: version }, accepted), {
        kind: "refused",
        theirs: version,
      });
    });
  }
  it("refuses a result without a version", () => {
    assert.equal(readInitializeResult({ capabilities: {} }, accepted).kind, "invalid");
  });
});

describe("chooseRetryRevision", () => {
  const accepted = acceptedLegacyRevisions("2025-06-18");
  it("takes the revision that the text names", () => {
    const text = "this endpoint speaks 2025-06-18, 2025-03-26 and 2024-11-05 only";
    assert.equal(chooseRetryRevision("2025-11-25", accepted, { text }), "2025-06-18");
  });
  // Duty: 2.4.8
  it("takes the revision that the data names", () => {
    assert.equal(
      chooseRetryRevision("2025-11-25", accepted, { text: "wrong", data: { expected: "2025-06-18" } }),
      "2025-06-18",
    );
  });
  it("tries the next older one when the refusal is about the version", () => {
    assert.equal(chooseRetryRevision("2025-11-25", accepted, { text: "wrong version" }), "2025-06-18");
  });
  it("does not retry for another reason, nor below the oldest", () => {
    assert.equal(chooseRetryRevision("2025-11-25", accepted, { text: "out of memory" }), undefined);
    assert.equal(chooseRetryRevision("2025-06-18", accepted, { text: "wrong version" }), undefined);
  });
});

describe("initializeParams", () => {
  // Duty: 10.1.1
  it("declares modes to a server of 2025-11-25", () => {
    const params = initializeParams("2025-11-25", client, { form: true, url: true });
    assert.deepEqual(params["capabilities"], { elicitation: { form: {}, url: {} } });
  });
  // Duty: 10.1.1
  it("declares a bare elicitation to 2025-06-18, and nothing when only URLs can be shown", () => {
    assert.deepEqual(initializeParams("2025-06-18", client, { form: true, url: true })["capabilities"], {
      elicitation: {},
    });
    assert.deepEqual(initializeParams("2025-06-18", client, { form: false, url: true })["capabilities"], {});
  });
  // Duty: 11.1.1, 11.2.1
  it("declares sampling and roots as each revision has them", () => {
    const modes = { form: false, url: false, sampling: "tools", roots: true } as const;
    const roots = { listChanged: true };
    assert.deepEqual(initializeParams("2025-11-25", client, modes)["capabilities"], {
      sampling: { tools: {} },
      roots,
    });
    assert.deepEqual(initializeParams("2025-06-18", client, modes)["capabilities"], { sampling: {}, roots });
    const text = { ...modes, sampling: "text", roots: false } as const;
    assert.deepEqual(initializeParams("2025-11-25", client, text)["capabilities"], { sampling: {} });
  });
  // Duty: 2.4.11, 19.1
  it("declares extensions that are on, by name", () => {
    const params = initializeParams("2025-06-18", client, undefined, ["io.example/one"]);
    assert.deepEqual(params["capabilities"], { extensions: { "io.example/one": {} } });
  });
  it("declares nothing when nobody can be asked", () => {
    assert.deepEqual(initializeParams("2025-11-25", client, undefined)["capabilities"], {});
  });
});
