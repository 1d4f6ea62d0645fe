import assert from "node:assert/strict";
import { matchesFormat } from "../../../src/base/textFormats.ts";

const RIGHT: readonly (readonly [string, string])[] = [
  ["date", "2024-02-29"],
  ["time", "23:59:60Z"],
  ["time", "15:59:60-08:00"],
  ["time", "09:30:00.123+02:00"],
  ["date-time", "2026-07-28t09:30:00.123z"],
  ["duration", "P3Y6M4DT12H30M5S"],
  ["duration", "P2W"],
  ["duration", "PT0S"],
  ["email", "a@example.com"],
  ["email", '"a b"@example.com'],
  ["idn-email", "実例@実例.テスト"],
  ["hostname", "a-b.example.com"],
  ["ipv4", "192.168.0.1"],
  ["ipv6", "::1"],
  ["ipv6", "2001:db8::8a2e:370:7334"],
  ["ipv6", "::ffff:192.168.0.1"],
  ["ipv6", "1:2:3:4:5:6:7:8"],
  ["uri", "https://example.com/a?b=c#d"],
  ["uri", "urn:isbn:0451450523"],
  ["uri", "http://[::1]:8080/"],
  ["uri-reference", "../a/b"],
  ["iri", "https://例え.テスト/道"],
  ["uri-template", "https://example.com/{id}{?q,r*}"],
  ["uuid", "123e4567-e89b-12d3-a456-426614174000"],
  ["json-pointer", "/a~1b/0"],
  ["json-pointer", ""],
  ["relative-json-pointer", "1/a"],
  ["relative-json-pointer", "0#"],
  ["made-up", "anything"],
];

const WRONG: readonly (readonly [string, string])[] = [
  ["date", "2026-13-01"],
  ["date", "2026-02-29"],
  ["date", "২026-02-03"],
  ["time", "24:00:00Z"],
  ["time", "09:30:00"],
  ["time", "12:00:60Z"],
  ["date-time", "2026-07-28"],
  ["duration", "P"],
  ["duration", "P1YT"],
  ["duration", "PT1D"],
  ["email", "a b@example.com"],
  ["email", "a@example..com"],
  ["email", "example.com"],
  ["hostname", "-a.example.com"],
  ["hostname", `${"a".repeat(64)}.com`],
  ["ipv4", "256.1.1.1"],
  ["ipv4", "01.1.1.1"],
  ["ipv6", "1::2::3"],
  ["ipv6", "1:2:3:4:5:6:7"],
  ["ipv6", "::12345"],
  ["uri", "https://exa mple.com"],
  ["uri", "/relative"],
  ["uri", "https://example.com/%zz"],
  ["uri", "https://例え.テスト/"],
  ["uri-reference", "a\\b"],
  ["uri-template", "/{id"],
  ["uuid", "123e4567"],
  ["json-pointer", "a/b"],
  ["json-pointer", "/~2"],
  ["relative-json-pointer", "01/a"],
];

describe("matchesFormat", () => {
  for (const [format, text] of RIGHT) {
    it(`accepts ${text} as ${format}`, () => {
      assert.ok(matchesFormat(format, text));
    });
  }
  for (const [format, text] of WRONG) {
    it(`refuses ${text} as ${format}`, () => {
      assert.ok(!matchesFormat(format, text));
    });
  }
});
