import assert from "node:assert/strict";
import { hasSyntaxError, locateValue } from "../../../../src/host/config/jsonLocations.ts";

const SETTINGS = `{
  // servers of the team, see "docs" // twice
  "signalbox.servers": {
    "a": { "command": "run", "args": ["x", 7,], },
  },
}`;

function marked(path: readonly (string | number)[]): string | undefined {
  const span = locateValue(SETTINGS, path);
  return span === undefined ? undefined : SETTINGS.slice(span.offset, span.offset + span.length);
}

describe("places in settings files", () => {
  it("allow comments and trailing commas", () => {
    assert.equal(hasSyntaxError(SETTINGS), false);
    assert.equal(hasSyntaxError(""), false);
    assert.equal(hasSyntaxError('{ "a": }'), true);
    assert.equal(hasSyntaxError('{ "a": 1'), true);
  });

  it("are the value itself when it is small, and the key when it is large", () => {
    assert.equal(marked(["signalbox.servers", "a", "args", 1]), "7");
    assert.equal(marked(["signalbox.servers", "a", "command"]), '"run"');
    assert.equal(marked(["signalbox.servers", "a"]), '"a"');
  });

  it("are the nearest enclosing value when the path leads nowhere", () => {
    assert.equal(marked(["signalbox.servers", "a", "env", "TOKEN"]), '"a"');
    assert.equal(marked(["signalbox.servers", "gone"]), '"signalbox.servers"');
    assert.equal(marked(["other"]), undefined);
  });
});
