import assert from "node:assert/strict";
import type { JsonValue } from "../../../../src/base/json.ts";
import { isBase64 } from "../../../../src/protocol/resources/isBase64.ts";
import { parseContents } from "../../../../src/protocol/resources/parseContents.ts";
import { isNotFound } from "../../../../src/protocol/resources/readResource.ts";
import { RpcError } from "../../../../src/protocol/rpcError.ts";

describe("the contents of a resource", () => {
  it("are text or bytes, with the type and the URI of each part", () => {
    assert.deepEqual(parseContents({ uri: "a:1", text: "", mimeType: "text/plain" }, "a:"), {
      uri: "a:1",
      mimeType: "text/plain",
      text: "",
      raw: { uri: "a:1", text: "", mimeType: "text/plain" },
    });
    assert.deepEqual(parseContents({ uri: "a:2", blob: "AAE=" }, "a:").blob, "AAE=");
  });

  const odd: readonly (readonly [JsonValue, RegExp])[] = [
    ["just a text", /not an object/],
    [null, /not an object/],
    [{ text: "x" }, /no URI/],
    [{ uri: "a:1" }, /neither/],
    [{ uri: "a:1", text: 7 }, /not a text/],
    [{ uri: "a:1", blob: "%%%" }, /base64/],
    [{ uri: "a:1", blob: 7, text: "x" }, /base64/],
    [{ uri: "a:1", blob: "AAE=", text: "x" }, /both/],
  ];
  for (const [value, problem] of odd) {
    it(`keep ${JSON.stringify(value)} and say what is wrong`, () => {
      const part = parseContents(value, "a:");
      assert.match(part.problem ?? "", problem);
      assert.match(part.uri, /^a:/);
      assert.ok(JSON.stringify(part.raw).includes(JSON.stringify(value)));
    });
  }

  it("check base64 without giving up on line ends and missing padding", () => {
    const good = ["", "AA==", "AAE=", "AAEC", "AA", "AAE", "AAEC\r\nAAEC\r\n", "+/+/"];
    const bad = ["A", "A===", "AA=", "AAE==", "AA==AA==", "AA-_", "AAEC AAEC", "=", "data:;base64,AAEC"];
    for (const text of good) assert.ok(isBase64(text), text);
    for (const text of bad) assert.ok(!isBase64(text), text);
  });

  it("check sixteen million characters in little time", () => {
    const started = performance.now();
    assert.ok(isBase64("QUJD".repeat(4_000_000)));
    assert.ok(performance.now() - started < 2_000);
  });
});

// Duty: 8.1.2
describe("a resource that is not there", () => {
  const cases: readonly (readonly [code: number, data: JsonValue | undefined, isMissing: boolean])[] = [
    [-32002, undefined, true],
    [-32002, { uri: "a:other" }, true],
    [-32602, undefined, true],
    [-32602, { uri: "a:1" }, true],
    [-32602, { field: "x" }, true],
    [-32602, { uri: "a:other" }, false],
    [-32603, { uri: "a:1" }, false],
    [-32601, undefined, false],
    [0, undefined, false],
  ];
  for (const [code, data, isMissing] of cases) {
    it(`is ${isMissing ? "" : "not "}told by ${String(code)} with ${JSON.stringify(data)}`, () => {
      const said = { code, message: "Resource not found", ...(data !== undefined && { data }) };
      const error = new RpcError("resources/read", said);
      assert.equal(isNotFound(error, "a:1"), isMissing);
    });
  }
});
