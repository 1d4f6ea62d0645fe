import assert from "node:assert/strict";

import { basicCredentials } from "../../../src/net/basicCredentials.ts";

describe("basicCredentials", () => {
  it("takes a percent sign that begins no escape as it is", () => {
    const value = basicCredentials(new URL("https://a%20b:100%@h.example/"));
    assert.equal(value, `Basic ${Buffer.from("a b:100%").toString("base64")}`);
  });

  it("turns user information into credentials", () => {
    assert.equal(basicCredentials(new URL("https://u%40x:p%3A@h/")), `Basic ${btoa("u@x:p:")}`);
    assert.equal(basicCredentials(new URL("https://h/")), undefined);
  });
});
