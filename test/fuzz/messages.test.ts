import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import type { JsonValue } from "../../src/base/json.ts";
import { classifyMessage, type IncomingMessage } from "../../src/protocol/jsonrpc/message.ts";
import { forAll } from "./support/forAll.ts";
import { anyJson, anyObject, jsonRpcMessage } from "./support/messageCases.ts";

/** JSON-RPC as the schema of MCP defines it, in another's words. Integers may be too long for a double. */
const integer = z.union([z.number().refine((value) => Number.isInteger(value)), z.bigint()]);
const id = z.union([z.string(), integer]);
const object = z.record(z.string(), z.unknown());
const jsonrpc = z.literal("2.0");
const noMethod = z.unknown().refine((value) => typeof value !== "string");

const KINDS: readonly (readonly [IncomingMessage["kind"], z.ZodType])[] = [
  ["request", z.looseObject({ jsonrpc, id, method: z.string(), params: object.optional() })],
  [
    "notification",
    z.looseObject({ jsonrpc, id: z.undefined().optional(), method: z.string(), params: object.optional() }),
  ],
  ["response", z.looseObject({ jsonrpc, id, method: noMethod.optional(), result: object })],
  [
    "response",
    z.looseObject({
      jsonrpc,
      id: id.nullish(),
      method: noMethod.optional(),
      result: z.undefined().optional(),
      error: z.looseObject({ code: z.number() }),
    }),
  ],
];

function classifyByDefinition(value: JsonValue): IncomingMessage["kind"] {
  return KINDS.find(([, definition]) => definition.safeParse(value).success)?.[0] ?? "invalid";
}

/** Objects that are nearly messages: each member is there or not, and of the right type or not. */
const nearly = fc
  .record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant<JsonValue>("2.0") }, anyJson),
      id: fc.oneof(
        fc.integer(),
        fc.string({ maxLength: 4 }),
        fc.constantFrom<JsonValue>(null, 1.5, 1e300, 2n ** 60n),
        anyJson,
      ),
      method: fc.oneof({ weight: 4, arbitrary: fc.string({ maxLength: 6 }) }, anyJson),
      params: fc.oneof(anyObject, anyJson),
      result: fc.oneof(anyObject, anyJson),
      error: fc.oneof(
        fc.record({ code: fc.oneof(fc.integer(), anyJson), message: anyJson }, { noNullPrototype: true }),
        anyJson,
      ),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .map((record): JsonValue => record);

// Duty: 1.1.6, 1.1.7
describe("fuzz: what a value from the wire is", () => {
  it("agrees with a definition of JSON-RPC", () => {
    const seen = new Map<string, number>();
    forAll(
      fc.oneof(
        { weight: 6, arbitrary: nearly },
        { weight: 1, arbitrary: anyJson },
        { weight: 2, arbitrary: jsonRpcMessage },
      ),
      (value) => {
        const { kind } = classifyMessage(value);
        assert.equal(kind, classifyByDefinition(value));
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      },
    );
    for (const kind of ["request", "notification", "response", "invalid"])
      assert.ok((seen.get(kind) ?? 0) > 50, `${kind} came up ${String(seen.get(kind))} times`);
  });

  it("hands on the very value, not a copy", () => {
    forAll(jsonRpcMessage, (value) => {
      const classified = classifyMessage(value);
      assert.ok(classified.kind !== "invalid" && (classified.message as unknown) === value);
    });
  });

  it("is no message when it is a list, whatever is in it", () => {
    forAll(fc.array(jsonRpcMessage, { maxLength: 3 }), (batch) => {
      assert.deepEqual(classifyMessage(batch), { kind: "invalid", reason: "a batch" });
    });
  });
});
