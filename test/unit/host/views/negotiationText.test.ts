import assert from "node:assert/strict";
import { fillTemplate } from "../../../../src/base/errors.ts";
import { negotiationText } from "../../../../src/host/views/negotiationText.ts";

const t = (text: string, args = {}): string => fillTemplate(text, args);

describe("the explanation of a negotiation", () => {
  it("has the verdict, every step in order, and the server's words as such", () => {
    const text = negotiationText(
      {
        id: "db",
        config: undefined,
        problems: [],
        state: {
          kind: "connected",
          subscriptions: {
            asked: { lists: ["tools", "prompts"], resources: ["file:///a"], tasks: [] },
            honoured: { lists: ["tools"], resources: [], tasks: [] },
          },
          tasks: [],
          sinceMs: 0,
          listProblem: undefined,
          lists: {
            prompts: { kind: "absent" },
            resources: { kind: "absent" },
            templates: { kind: "absent" },
            skills: { kind: "absent" },
          },
          allowed: ["roots"],
          wanted: ["sampling"],
          catalog: { tools: [], rejectedTools: [], warnings: [] },
          negotiation: {
            era: "legacy",
            revision: "2025-11-25",
            how: "fallback",
            reason: "It did not know server/discover.",
            steps: [
              { what: "server/discover", outcome: "Error -32601", atMs: 12.4 },
              { what: "initialize", outcome: "Revision 2025-11-25", atMs: 30 },
            ],
            roundTrips: 2,
            processes: 1,
            server: { name: "old", version: "1" },
            capabilities: { tools: {} },
            instructions: "Be kind.",
          },
        },
      },
      t,
    );
    assert.ok(text.includes("Protocol: Legacy 2025-11-25"));
    assert.ok(text.includes("Tells when these change: tools\n"));
    assert.ok(text.includes("Does not tell, so refresh to see changes: prompts, file:///a\n"));
    assert.ok(
      text.includes("Declared to it: questions, folders\nIt wanted, and may not use: a language model\n"),
    );
    assert.ok(text.includes("fell back to the older handshake"));
    assert.ok(text.indexOf("12 ms  server/discover: Error -32601") < text.indexOf("30 ms  initialize"));
    assert.ok(text.indexOf("(not verified)") < text.indexOf("old 1"));
    assert.ok(text.indexOf("for a model (not verified)") < text.indexOf("Be kind."));
  });
});
