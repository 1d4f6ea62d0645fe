import { isDateTime } from "../base/textFormats.ts";

/**
 * The value of a `datetime-local` control as an RFC 3339 date-time with the offset that this machine has at that time.
 * Undefined when the control holds no complete date and time.
 */
export function localToDateTime(local: string): string | undefined {
  const at = new Date(local);
  if (local === "" || Number.isNaN(at.getTime())) return undefined;
  const offset = -at.getTimezoneOffset();
  const size = Math.abs(offset);
  const pad = (value: number, width = 2): string => String(value).padStart(width, "0");
  const zone =
    offset === 0 ? "Z" : `${offset < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
  const date = `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${date}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}${zone}`;
}

/** An RFC 3339 date-time as the value of a `datetime-local` control on this machine; empty when it is none. */
export function dateTimeToLocal(text: string): string {
  const at = new Date(text);
  if (!isDateTime(text) || Number.isNaN(at.getTime())) return "";
  const pad = (value: number, width = 2): string => String(value).padStart(width, "0");
  const date = `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${date}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}
