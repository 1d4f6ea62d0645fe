import assert from "node:assert/strict";
import { matchesFormat } from "../../../src/base/textFormats.ts";
import { dateTimeToLocal, localToDateTime } from "../../../src/shared/formats.ts";

describe("formats", () => {
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
