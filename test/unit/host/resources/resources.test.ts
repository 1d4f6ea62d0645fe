import assert from "node:assert/strict";
import { contentBytes, hexDump, isTextContent } from "../../../../src/host/resources/contentBytes.ts";
import { fileNameOf } from "../../../../src/host/resources/fileNameOf.ts";
import { hasViewer, iconOfType, languageOfType } from "../../../../src/host/resources/mediaTypes.ts";
import {
  readAddress,
  RESOURCE_SCHEME,
  toAddressParts,
} from "../../../../src/host/resources/resourceAddress.ts";
import { optionalVariables, toTemplateValues } from "../../../../src/host/resources/templateVariables.ts";

describe("the address of a resource in the editor", () => {
  const addresses = [
    { serverId: "db", uri: "demo://databases", part: 0 },
    { serverId: "a b/ü&=#?", uri: "file:///etc/passwd?x=1&uri=other#frag", part: 3 },
    { serverId: "s", uri: "urn:%2F%25+plus and blank", part: 0 },
  ];
  for (const address of addresses) {
    it(`leads back to ${address.uri}`, () => {
      const parts = toAddressParts(address, "name.txt");
      assert.equal(parts.scheme, RESOURCE_SCHEME);
      assert.equal(parts.path, "/name.txt");
      assert.deepEqual(readAddress(parts), address);
    });
  }

  // Duty: 8.1.5
  it("never is the path of a file here, whatever the server calls it", () => {
    const parts = toAddressParts({ serverId: "s", uri: "file:///etc/passwd", part: 0 }, "passwd.txt");
    assert.equal(parts.scheme, RESOURCE_SCHEME);
    assert.ok(!parts.path.includes("etc"));
  });

  it("is nothing for other schemes and broken queries", () => {
    assert.equal(readAddress({ scheme: "file", query: "server=s&uri=a:b" }), undefined);
    assert.equal(readAddress({ scheme: RESOURCE_SCHEME, query: "server=s" }), undefined);
    assert.equal(readAddress({ scheme: RESOURCE_SCHEME, query: "server=s&uri=a:b&part=-1" }), undefined);
    assert.equal(readAddress({ scheme: RESOURCE_SCHEME, query: "server=s&uri=a:b&part=x" }), undefined);
  });
});

describe("the file name of a resource", () => {
  const rows: readonly (readonly [string, Parameters<typeof fileNameOf>[0], string])[] = [
    [
      "its name with the end of its type",
      { uri: "demo://x", displayName: "All databases", mimeType: "application/json" },
      "All databases.json",
    ],
    [
      "the end that it has",
      { uri: "f://a/readme.md", displayName: "readme.md", mimeType: "text/markdown" },
      "readme.md",
    ],
    [
      "the end that it has when it is another usual one",
      { uri: "f://a/data.jsonl", displayName: "data.jsonl", mimeType: "application/json" },
      "data.jsonl",
    ],
    ["the last part of its URI", { uri: "docs://guide/First%20steps?x#y" }, "First steps.txt"],
    ["a type with parameters", { uri: "a:b", mimeType: "text/HTML; charset=utf-8" }, "a-b.html"],
    [
      "a type with a suffix",
      { uri: "a:x", displayName: "x", mimeType: "application/vnd.api+json" },
      "x.json",
    ],
    ["no path", { uri: "a:x", displayName: "../../etc/passwd", mimeType: "text/plain" }, "etc-passwd.txt"],
    [
      "no hidden characters",
      { uri: "a:x", displayName: "in\u202Evoice\u200B.exe", mimeType: "image/png" },
      "in voice .exe.png",
    ],
    ["something when there is nothing", { uri: "///", displayName: "…/..", mimeType: "text/plain" }, "….txt"],
  ];
  for (const [what, named, expected] of rows) {
    it(`is ${what}`, () => {
      assert.equal(fileNameOf(named), expected);
    });
  }

  it("is short", () => {
    assert.ok(fileNameOf({ uri: "a:x", displayName: "n".repeat(5_000) }).length <= 90);
  });
});

describe("the content of a resource", () => {
  const raw = {};
  it("is text in UTF-8, or what its Base64 stands for", () => {
    assert.equal(Buffer.from(contentBytes({ uri: "a", text: "ü", raw })).toString("hex"), "c3bc");
    assert.deepEqual([...contentBytes({ uri: "a", blob: "AAEC", raw })], [0, 1, 2]);
    assert.equal(contentBytes({ uri: "a", raw }).length, 0);
  });

  const rows: readonly (readonly [string, { text?: string; mimeType?: string; bytes: Buffer }, boolean])[] = [
    ["a text", { text: "x", mimeType: "application/zip", bytes: Buffer.from("x") }, true],
    ["bytes of a text type", { mimeType: "application/json", bytes: Buffer.from("{}") }, true],
    ["bytes of any text type", { mimeType: "text/x-unheard-of", bytes: Buffer.from("x") }, true],
    [
      "bytes of a text type with a zero",
      { mimeType: "text/plain", bytes: Buffer.from([0x41, 0, 0x42]) },
      false,
    ],
    ["UTF-8 without a type", { bytes: Buffer.from("größer") }, true],
    ["UTF-8 that the sample cuts within a character", { bytes: Buffer.from("x".repeat(8_191) + "ü") }, true],
    ["other bytes without a type", { bytes: Buffer.from([0xff, 0xfe, 0x41]) }, false],
    ["bytes of another type", { mimeType: "application/zip", bytes: Buffer.from("PK") }, false],
  ];
  for (const [what, { bytes, ...contents }, expected] of rows) {
    it(`${expected ? "can" : "cannot"} be read as text when it is ${what}`, () => {
      assert.equal(isTextContent({ uri: "a", raw, ...contents }, bytes), expected);
    });
  }

  it("can be written out byte by byte, up to a bound", () => {
    assert.equal(
      hexDump(Buffer.from("PK\u0003\u0004 plain text!!"), 18),
      "00000000  50 4b 03 04 20 70 6c 61 69 6e 20 74 65 78 74 21  PK.. plain text!\n" +
        "00000010  21                                               !",
    );
    assert.equal(hexDump(Buffer.alloc(1_000), 32).split("\n").length, 2);
  });
});

describe("media types", () => {
  it("lead to languages, icons and viewers, and unknown ones to none", () => {
    assert.equal(languageOfType("application/problem+json; charset=utf-8"), "json");
    assert.equal(languageOfType("constructor"), undefined);
    assert.equal(iconOfType("image/x-new"), "file-media");
    assert.equal(iconOfType(undefined), "file");
    assert.ok(hasViewer("a.PNG") && hasViewer("b.wav"));
    // A picture that is a document may hold scripts: it is shown as text.
    assert.ok(!hasViewer("c.svg") && !hasViewer("d.html"));
  });
});

describe("the variables of a template", () => {
  it("are needed unless they stand in a query, a parameter or a fragment", () => {
    assert.deepEqual(
      [...optionalVariables("db://{host}/{+path}{?q,limit:3}{&more*}{;p}{#part}{/x}")],
      ["q", "limit", "more", "p", "part"],
    );
  });

  it("take several values with commas only where the template writes several", () => {
    const variables = [
      { name: "tags", explode: true },
      { name: "path", explode: false },
      { name: "left", explode: false },
    ];
    assert.deepEqual(toTemplateValues(variables, { tags: "a, b,c", path: "x,y", other: "z" }), {
      tags: ["a", "b", "c"],
      path: "x,y",
    });
  });
});
