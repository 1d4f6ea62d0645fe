import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { selectServer } from "../../../src/cli/readConfigFile.ts";

const FILE = `\uFEFF{\r
  // team servers\r
  "servers": {\r
    "ok": { "type": "http", "url": "http://127.0.0.1:8123/mcp#a//b", /* old */ },\r
    // "off": { "command": "x" },\r
    "bad": { "type": "stdio", "args": ["x"] },\r
    "odd": { "url": "https://a.test", "header": {} },\r
  },\r
}\r
`;

function messageOf(text: string, server: string): string {
  const file = selectServer("f.jsonc", text, server);
  return file.kind === "failed" ? `${file.code}: ${file.message} ${file.remedy}` : "";
}

describe("selectServer", () => {
  it("reads a file with a byte-order mark, comments, trailing commas and CRLF", () => {
    const file = selectServer("f.jsonc", FILE, "ok");
    assert.equal(
      file.kind === "server" && file.config.type === "http" && file.config.url,
      "http://127.0.0.1:8123/mcp#a//b",
    );
    assert.deepEqual(file.kind === "server" && file.warnings, []);
  });

  it("names file, line and column of what is wrong with the server that was asked for", () => {
    assert.match(
      messageOf(FILE, "bad"),
      /^invalid-config: “bad” is not usable:\n {2}f\.jsonc:6:5 “command” is missing\./,
    );
    const odd = selectServer("f.jsonc", FILE, "odd");
    assert.match(
      odd.kind === "server" ? odd.warnings.join() : "",
      /^f\.jsonc:7:\d+ “header” is not a setting.*“headers”/,
    );
  });

  it("reads the editor's settings as well", () => {
    assert.equal(selectServer("f", '{"signalbox.servers":{"a":{"command":"x"}}}', "a").kind, "server");
  });

  it("explains what it cannot use", () => {
    assert.match(messageOf(FILE, "okk"), /no-such-server: .*Did you mean “ok”\?/);
    assert.match(messageOf(FILE, "zzzzzz"), /It holds “ok”, “odd”/);
    assert.match(messageOf('{"servers":{}}', "a"), /none that is usable/);
    assert.match(messageOf('{"servers":[]}', "a"), /maps names to servers/);
    assert.match(messageOf("{}", "a"), /holds no “servers”/);
    assert.match(messageOf("", "a"), /holds no “servers”/);
    assert.match(messageOf('{"servers": {"a" 1}}', "a"), /config-syntax: f\.jsonc:1:18 is not valid JSON/);
    assert.match(messageOf('{"servers":{"__proto__":{"command":"x"}}}', "toString"), /no-such-server/);
  });
});
