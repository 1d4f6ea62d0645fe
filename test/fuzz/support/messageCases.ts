import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../../src/base/json.ts";

/** Any JSON, with the names that messages give a meaning to. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue; object: JsonObject }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<JsonValue>(null, true, false, 0, 1, -1, 1.5, "", "text", 2 ** 53 - 1),
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("object"),
    ),
    object: fc.dictionary(
      fc.oneof(
        fc.constantFrom("id", "method", "params", "result", "error", "_meta", "a"),
        fc.string({ maxLength: 6 }),
      ),
      tie("value"),
      { maxKeys: 3, noNullPrototype: true },
    ),
  }),
).value;

export const anyObject: fc.Arbitrary<JsonObject> = fc.dictionary(fc.string({ maxLength: 8 }), anyJson, {
  maxKeys: 4,
  noNullPrototype: true,
});

const id = fc.oneof(fc.integer(), fc.string({ maxLength: 8 }));
const jsonrpc = fc.constant("2.0" as const);
const method = fc.oneof(
  fc.constantFrom("ping", "tools/call", "notifications/progress"),
  fc.string({ maxLength: 10 }),
);

/** Valid messages of every kind. */
export const jsonRpcMessage: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record(
    { jsonrpc, id, method, params: anyObject },
    { requiredKeys: ["jsonrpc", "id", "method"], noNullPrototype: true },
  ),
  fc.record(
    { jsonrpc, method, params: anyObject },
    { requiredKeys: ["jsonrpc", "method"], noNullPrototype: true },
  ),
  fc.record({ jsonrpc, id, result: anyObject }, { noNullPrototype: true }),
  fc.record(
    {
      jsonrpc,
      id: fc.oneof(id, fc.constant(null)),
      error: fc.record(
        { code: fc.integer(), message: fc.string({ maxLength: 20 }), data: anyJson },
        { noNullPrototype: true },
      ),
    },
    { requiredKeys: ["jsonrpc", "error"], noNullPrototype: true },
  ),
);
