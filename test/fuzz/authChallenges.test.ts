import assert from "node:assert/strict";
import fc from "fast-check";
import { parseAuthChallenges } from "../../src/net/authChallenges.ts";
import { forAll } from "./support/forAll.ts";

const token = fc.stringMatching(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,12}$/);
const space = fc.stringMatching(/^[ \t]{0,3}$/);
const param = fc.record({
  name: token,
  value: fc.oneof(token, fc.string()),
  before: space,
  after: space,
  isQuoted: fc.boolean(),
});
const challenge = fc.record({
  scheme: token,
  params: fc.uniqueArray(param, { maxLength: 4, selector: ({ name }) => name.toLowerCase() }),
  gap: space,
});

const isToken = (text: string): boolean => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);
const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

describe("fuzz: challenges of WWW-Authenticate", () => {
  it("are read as they were written, however they are spaced and quoted", () => {
    forAll(fc.array(challenge, { maxLength: 4 }), (challenges) => {
      const value = challenges
        .map(({ scheme, params, gap }) => {
          const written = params.map(({ name, value: text, before, after, isQuoted }) => {
            const shown = isQuoted || !isToken(text) ? quote(text) : text;
            return `${name}${before}=${after}${shown}`;
          });
          return `${scheme}${written.length > 0 ? " " : ""}${written.join(`${gap},${gap}`)}`;
        })
        .join(", ");
      const expected = challenges.map(({ scheme, params }) => [
        scheme.toLowerCase(),
        params.map(({ name, value: text }) => [name.toLowerCase(), text]),
      ]);
      assert.deepEqual(
        parseAuthChallenges(value).map(({ scheme, params }) => [scheme, [...params]]),
        expected,
      );
    });
  });

  it("of any text are tokens with tokens, and reading ends in time", () => {
    const pieces = fc.constantFrom(
      "Bearer",
      " ",
      ",",
      "=",
      '"',
      "\\",
      "a=b",
      'x="',
      "YWJj==",
      "\t",
      "\u0000",
      "é",
    );
    forAll(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 300 }).map((all) => all.join("")),
      ),
      (value) => {
        for (const { scheme, params } of parseAuthChallenges(value)) {
          assert.ok(isToken(scheme) && scheme === scheme.toLowerCase());
          for (const name of params.keys()) assert.ok(isToken(name) && name === name.toLowerCase());
        }
      },
    );
  });

  it("of great length take linear time", () => {
    for (const piece of [" ", ",", "a", "a ", "a=", 'a="', "a=b,", "a b,", "=", "\\", "a=b c=d,"]) {
      const started = performance.now();
      parseAuthChallenges(`Bearer ${piece.repeat(1_000_000 / piece.length)}`);
      assert.ok(performance.now() - started < 2_000, piece);
    }
  });
});
