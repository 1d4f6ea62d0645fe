import assert from "node:assert/strict";
import { isMetadataUrl } from "../../../../src/auth/registration/metadataUrl.ts";

describe("isMetadataUrl", () => {
  // Duty: 16.4.2
  it("takes https addresses with a path", () => {
    for (const text of ["https://c.test/meta.json", "https://c.test:8443/a/", "https://c.test/a?b=c"])
      assert.ok(isMetadataUrl(text), text);
  });

  it("takes nothing else, and nothing that is used in another form than it is written", () => {
    for (const text of [
      "",
      "my-client",
      "https://c.test",
      "https://c.test/",
      "http://c.test/meta.json",
      "http://127.0.0.1/meta.json",
      "https://user@c.test/meta.json",
      "https://c.test/meta.json#x",
      "https://c.test/a/../meta.json",
      "https://c.test/./meta.json",
      "https://C.test/meta.json",
      "https://c.test:443/meta.json",
      "urn:c",
    ])
      assert.equal(isMetadataUrl(text), false, text);
  });
});
