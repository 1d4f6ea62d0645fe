import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import {
  classifyProbe,
  type ProbeFacts,
  type ProbeOutcome,
} from "../../../../src/protocol/eras/classifyProbe.ts";
import { acceptedLegacyRevisions } from "../../../../src/protocol/eras/legacy/handshake.ts";

const accepted = acceptedLegacyRevisions("2025-06-18");
const stdio: ProbeFacts = { transport: "stdio", accepted };
const http: ProbeFacts = { transport: "http", accepted };
const boom = new Error("boom");

function rpc(code: number, httpStatus?: number, data?: JsonObject): ProbeOutcome {
  return { kind: "error", error: { code, message: "no", ...(data && { data }) }, httpStatus };
}

const discover: JsonObject = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } },
};

describe("classifyProbe", () => {
  const table: readonly (readonly [string, ProbeOutcome, ProbeFacts, string])[] = [
    ["a DiscoverResult", { kind: "result", result: discover }, stdio, "modern"],
    [
      "a DiscoverResult without resultType",
      { kind: "result", result: { ...discover, resultType: undefined } },
      http,
      "modern",
    ],
    ["an empty result of a lenient legacy server", { kind: "result", result: {} }, stdio, "legacy"],
    [
      "a result of another kind",
      { kind: "result", result: { ...discover, resultType: "input_required" } },
      stdio,
      "legacy",
    ],
    [
      "a list of legacy versions only",
      { kind: "result", result: { ...discover, supportedVersions: ["2025-11-25"] } },
      http,
      "legacy",
    ],
    [
      "a list of unknown versions only",
      { kind: "result", result: { ...discover, supportedVersions: ["2031-01-01"] } },
      http,
      "disjoint",
    ],
    ["-32022 with our revision", rpc(-32022, 400, { supported: ["2026-07-28"] }), http, "again"],
    ["-32022 with a legacy revision", rpc(-32022, 400, { supported: ["2025-11-25"] }), http, "legacy"],
    ["-32022 with nothing in common", rpc(-32022, 400, { supported: ["2031-01-01"] }), http, "disjoint"],
    ["-32022 on stdio without data", rpc(-32022), stdio, "disjoint"],
    ["-32020 with 400", rpc(-32020, 400), http, "failed"],
    ["-32021 with 400", rpc(-32021, 400), http, "failed"],
    ["-32020 with 200, an overloaded code", rpc(-32020, 200), http, "legacy"],
    ["-32601 on stdio", rpc(-32601), stdio, "legacy"],
    ["-32602 on stdio", rpc(-32602), stdio, "legacy"],
    ["-32600 on stdio", rpc(-32600), stdio, "legacy"],
    ["-32000 on stdio", rpc(-32000), stdio, "legacy"],
    ["-32601 with 200", rpc(-32601, 200), http, "legacy"],
    ["-32601 with 404", rpc(-32601, 404), http, "legacy"],
    ["-32000 with 400, a session wanted", rpc(-32000, 400), http, "legacy"],
    ["an error body with 401", rpc(-32000, 401), http, "failed"],
    ["an error body with 503", rpc(-32603, 503), http, "failed"],
    ["an error body with 429", rpc(-32000, 429), http, "failed"],
    ["an error body with 407", rpc(-32000, 407), http, "failed"],
    ["400 with text", { kind: "http", status: 400, error: boom }, http, "legacy"],
    ["404 and nothing", { kind: "http", status: 404, error: boom }, http, "legacy"],
    ["405 and nothing", { kind: "http", status: 405, error: boom }, http, "legacy"],
    ["200 with a page", { kind: "http", status: 200, error: boom }, http, "legacy"],
    ["401 and nothing", { kind: "http", status: 401, error: boom }, http, "failed"],
    ["403 and nothing", { kind: "http", status: 403, error: boom }, http, "failed"],
    ["429 and nothing", { kind: "http", status: 429, error: boom }, http, "failed"],
    ["503 and nothing", { kind: "http", status: 503, error: boom }, http, "failed"],
    ["silence on stdio", { kind: "silence", error: boom }, stdio, "legacy"],
    ["silence over HTTP", { kind: "silence", error: boom }, http, "failed"],
    ["an exit", { kind: "exit", error: boom }, stdio, "legacy"],
    ["a broken connection", { kind: "broken", error: boom }, http, "failed"],
  ];
  for (const [name, outcome, facts, expected] of table) {
    // Duty: 2.1.5, 2.1.6, 2.1.7, 2.1.10, 2.1.14, 2.2.2, 2.2.3, 2.2.4, 2.2.5, 2.2.6, 2.3.6, 5.2.5, 6.4, 15.12
    it(`takes ${name} as ${expected}`, () => {
      assert.equal(classifyProbe(outcome, facts).kind, expected);
    });
  }

  // Duty: 2.1.10
  it("offers the legacy revision that the server lists", () => {
    const verdict = classifyProbe(rpc(-32022, 400, { supported: ["2025-06-18", "2024-11-05"] }), http);
    assert.equal(verdict.kind === "legacy" && verdict.offer, "2025-06-18");
  });

  // Duty: 2.2.6
  it("wants a new process only when the old one ended", () => {
    const exit = classifyProbe({ kind: "exit", error: boom }, stdio);
    const refusal = classifyProbe(rpc(-32601), stdio);
    assert.equal(exit.kind === "legacy" && exit.respawn, true);
    assert.equal(refusal.kind === "legacy" && refusal.respawn, false);
  });

  // Duty: 1.4.9, 6.2
  it("reads what the server says about itself", () => {
    const verdict = classifyProbe({ kind: "result", result: discover }, stdio);
    assert.deepEqual(verdict.kind === "modern" && verdict.discover.server, { name: "s", version: "1" });
  });
});
