import assert from "node:assert/strict";
import { viewUrl } from "../../../../src/host/panels/urlView.ts";
import { english } from "./english.ts";

interface Row {
  readonly url: string;
  readonly host: string;
  readonly canOpen: boolean;
  readonly warnings: readonly RegExp[];
}

const rows: readonly Row[] = [
  { url: "https://example.com/pay?a=b&c=d#e", host: "example.com", canOpen: true, warnings: [] },
  { url: "https://example.com:443/", host: "example.com", canOpen: true, warnings: [] },
  { url: "https://example.com:8443/x", host: "example.com", canOpen: true, warnings: [/port 8443/] },
  {
    url: "https://bank.example@evil.example/",
    host: "evil.example",
    canOpen: true,
    warnings: [/before an “@”/],
  },
  { url: "https://u:p@evil.example/", host: "evil.example", canOpen: true, warnings: [/before an “@”/] },
  { url: "https://93.184.216.34/", host: "93.184.216.34", canOpen: true, warnings: [/is a number/] },
  { url: "https://0x5db8d822/", host: "93.184.216.34", canOpen: true, warnings: [/is a number/] },
  { url: "https://[2606:2800::1]/", host: "[2606:2800::1]", canOpen: true, warnings: [/is a number/] },
  { url: "http://example.com/", host: "example.com", canOpen: false, warnings: [/not encrypted/] },
  {
    url: "http://localhost:3000/x",
    host: "localhost",
    canOpen: true,
    warnings: [/this machine/, /port 3000/],
  },
  { url: "http://127.0.0.1/x", host: "127.0.0.1", canOpen: true, warnings: [/this machine/] },
  { url: "http://[::1]/x", host: "[::1]", canOpen: true, warnings: [/this machine/] },
  {
    url: "https://bücher.example/",
    host: "xn--bcher-kva.example",
    canOpen: true,
    warnings: [/“bücher\.example”/],
  },
  // The first letter is Cyrillic.
  {
    url: "https://аpple.com/",
    host: "xn--pple-43d.com",
    canOpen: true,
    warnings: [/international/, /mixes alphabets/],
  },
  {
    url: "https://xn--pple-43d.com/",
    host: "xn--pple-43d.com",
    canOpen: true,
    warnings: [/international/, /mixes alphabets/],
  },
  // Japanese uses several alphabets together.
  {
    url: "https://東京タワーabc.example/",
    host: "xn--abc-tl4bpjwc921zmo2b.example",
    canOpen: true,
    warnings: [/international/],
  },
  { url: "javascript:alert(1)", host: "", canOpen: false, warnings: [/“javascript:”/] },
  { url: "file:///etc/passwd", host: "", canOpen: false, warnings: [/“file:”/] },
  { url: "vscode://signalbox.signalbox/x", host: "", canOpen: false, warnings: [/“vscode:”/] },
  { url: "command:workbench.action.quit", host: "", canOpen: false, warnings: [/“command:”/] },
  { url: "example.com/no-scheme", host: "", canOpen: false, warnings: [/not a complete/] },
  { url: "https://", host: "", canOpen: false, warnings: [/not a complete/] },
];

describe("viewUrl", () => {
  for (const { url, host, canOpen, warnings } of rows) {
    // Duty: 10.3.4, 10.3.9
    it(`judges ${url}`, () => {
      const view = viewUrl(url, english);
      assert.equal(view.parts.host, host);
      assert.equal(view.canOpen, canOpen);
      assert.equal(view.warnings.length, warnings.length, view.warnings.join(" | "));
      warnings.forEach((pattern, index) => assert.match(view.warnings[index] ?? "", pattern));
      const shown = `${view.parts.before}${view.parts.host}${view.parts.after}`;
      assert.equal(shown, view.href === "" ? url : view.href, "what is shown is what would be opened");
    });
  }

  it("lets a clicked link be http, with a warning", () => {
    const view = viewUrl("http://example.com/a", english, { allowHttp: true });
    assert.equal(view.canOpen, true);
    assert.match(view.warnings.join(), /not encrypted/);
  });
});
