import assert from "node:assert/strict";
import { dateTimeToLocal, localToDateTime, matchesFormat } from "../../../src/shared/formats.ts";

describe("formats", () => {
  const right: [string, string][] = [
    ["time", "23:59:60Z"],
    ["uuid", "123e4567-e89b-12d3-a456-426614174000"],
    ["ipv4", "192.168.0.1"],
    ["date-time", "2026-07-28t09:30:00.123z"],
    ["uri", "https://example.com/a?b=c#d"],
    ["made-up", "anything"],
  ];
  const wrong: [string, string][] = [
    ["time", "24:00:00Z"],
    ["uuid", "123e4567"],
    ["ipv4", "256.1.1.1"],
    ["ipv4", "01.1.1.1"],
    ["date", "2026-13-01"],
    ["uri", "https://exa mple.com"],
    ["email", "a b@example.com"],
    ["email", "a@example..com"],
  ];
  for (const [format, text] of right)
    it(`accepts ${text} as ${format}`, () => assert.ok(matchesFormat(format, text)));
  for (const [format, text] of wrong)
    it(`refuses ${text} as ${format}`, () => assert.ok(!matchesFormat(format, text)));

  it("turns a local time into the same moment with an offset, and back", () => {
    const sent = localToDateTime("2026-07-28T09:30:15") ?? "";
    assert.ok(matchesFormat("date-time", sent), sent);
    assert.equal(new Date(sent).getTime(), new Date("2026-07-28T09:30:15").getTime());
    assert.equal(dateTimeToLocal(sent), "2026-07-28T09:30:15");
  });

  it("has no date-time for half a date", () => {
    assert.equal(localToDateTime(""), undefined);
    assert.equal(dateTimeToLocal("soon"), "");
  });
});
