import assert from "node:assert/strict";
import { readEditorNetwork } from "../../../../src/host/config/editorNetwork.ts";
import { NO_EDITOR } from "../../../../src/net/networkSettings.ts";

describe("readEditorNetwork", () => {
  const read = (settings: Readonly<Record<string, unknown>>) => readEditorNetwork((key) => settings[key]);

  it("is as without an editor where nothing is set", () => {
    assert.deepEqual(read({}), NO_EDITOR);
    assert.deepEqual(
      read({
        proxy: "",
        proxyAuthorization: null,
        noProxy: [],
        proxySupport: "override",
        systemCertificates: true,
      }),
      NO_EDITOR,
    );
  });

  it("reads what is set", () => {
    assert.deepEqual(
      read({
        proxy: "http://p:8080",
        proxyAuthorization: "Basic eDp5",
        noProxy: ["a.test", 7],
        proxySupport: "off",
        systemCertificates: false,
      }),
      {
        proxy: "http://p:8080",
        proxyAuthorization: "Basic eDp5",
        noProxy: ["a.test"],
        proxySupport: false,
        systemCertificates: false,
      },
    );
  });

  it("takes nothing from the switch that turns verification off", () => {
    assert.deepEqual(read({ proxyStrictSSL: false }), NO_EDITOR);
  });
});
