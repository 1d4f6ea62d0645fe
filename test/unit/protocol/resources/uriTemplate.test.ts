import assert from "node:assert/strict";
import {
  expandUriTemplate,
  readUriTemplate,
  type TemplateValues,
} from "../../../../src/protocol/resources/uriTemplate.ts";

const VALUES: TemplateValues = {
  count: ["one", "two", "three"],
  hello: "Hello World!",
  path: "/foo/bar",
  var: "value",
  x: "1024",
  y: "768",
  empty: "",
  list: ["red", "green", "blue"],
  clef: "𝄞x",
  "Stra%C3%9Fe": "Grüner Weg",
  marks: "'()*!",
  braces: '{a}"\n',
  percent: "50%%20%",
};

/** Every operator with every modifier, after the rules of the RFC. */
const TABLE: readonly (readonly [template: string, uri: string])[] = [
  ["file:///{+path}", "file:////foo/bar"],
  ["{var}", "value"],
  ["{hello}", "Hello%20World%21"],
  ["{x,hello,y}", "1024,Hello%20World%21,768"],
  ["?{x,empty}", "?1024,"],
  ["?{undef,y}", "?768"],
  ["{var:3}", "val"],
  ["{clef:1}", "%F0%9D%84%9E"],
  ["{list}", "red,green,blue"],
  ["{list*}", "red,green,blue"],
  ["{+hello}", "Hello%20World!"],
  ["{+path:6}/here", "/foo/b/here"],
  ["{#path,x}", "#/foo/bar,1024"],
  ["X{.list}", "X.red,green,blue"],
  ["X{.list*}", "X.red.green.blue"],
  ["{/var,x}/here", "/value/1024/here"],
  ["{/list*}", "/red/green/blue"],
  ["{;x,y,empty}", ";x=1024;y=768;empty"],
  ["{;list*}", ";list=red;list=green;list=blue"],
  ["{?x,y,empty}", "?x=1024&y=768&empty="],
  ["{?list*}", "?list=red&list=green&list=blue"],
  ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
  ["{?Stra%C3%9Fe}", "?Stra%C3%9Fe=Gr%C3%BCner%20Weg"],
  ["{undef}{?undef}", ""],
  // Reserved characters are escaped where they are not kept, all others always.
  ["{marks}", "%27%28%29%2A%21"],
  ["{+marks}", "'()*!"],
  ["{+braces}", "%7Ba%7D%22%0A"],
  ["{#braces:1}", "#%7B"],
  ["{percent}", "50%25%2520%25"],
  ["{+percent}", "50%25%20%25"],
  ["100%/é {var}", "100%25/%C3%A9%20value"],
  // Members of every object, which nobody gave a value.
  ["{toString}{?constructor}{__proto__}", ""],
];

// Duty: 8.1.1
describe("URI templates", () => {
  for (const [template, uri] of TABLE) {
    it(`expands ${template}`, () => assert.equal(expandUriTemplate("s", template, VALUES), uri));
  }

  it("names each variable once, in the order of the template", () => {
    assert.deepEqual(readUriTemplate("db://{name}/{+path}{?q*,name,limit:2}{a.b}"), {
      kind: "template",
      variables: [
        { name: "name", explode: false },
        { name: "path", explode: false },
        { name: "q", explode: true },
        { name: "limit", explode: false, prefix: 2 },
        { name: "a.b", explode: false },
      ],
    });
    assert.deepEqual(readUriTemplate("file:///no/variables"), { kind: "template", variables: [] });
  });

  const broken = [
    "{",
    "}",
    "{/id*",
    "{}",
    "{var:0}",
    "{var:10000}",
    "{with space}",
    "{=path}",
    "{x,}",
    "{a{b}}",
    "{{a}",
    "{?*b}",
    "{a:3*}",
    "{!a}",
    "{a-b}",
    "{a..b}",
    "{?a=b}",
    "\uD800{a}",
  ];
  for (const template of broken) {
    it(`says that ${template} is broken`, () => {
      assert.equal(readUriTemplate(template).kind, "broken");
      assert.throws(() => expandUriTemplate("s", template, {}), { code: "broken-template" });
    });
  }

  it("says so when a value is no text that a URI can hold, or a list that is to be cut", () => {
    assert.throws(() => expandUriTemplate("s", "{list:3}", VALUES), { code: "broken-template" });
    assert.throws(() => expandUriTemplate("s", "{half}", { half: "\uD800" }), { code: "broken-template" });
  });

  it("does not read a template without end", () => {
    assert.equal(readUriTemplate("{x}".repeat(10_000)).kind, "broken");
  });
});
