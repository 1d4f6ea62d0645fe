const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[zZ]|[+-](\d{2}):(\d{2}))$/;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const URI_SCHEME = /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i;

/**
 * True when a text has the form that a JSON Schema `format` names; unknown formats accept everything.
 * The checks are loose on purpose: a wrong refusal would keep a person from answering at all.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 */
export function matchesFormat(format: string, text: string): boolean {
  switch (format) {
    case "email":
      return isEmail(text);
    case "uri":
      return URI_SCHEME.test(text);
    case "date":
      return isDate(text);
    case "time":
      return isTime(text);
    case "date-time":
      return isDateTime(text);
    case "uuid":
      return UUID.test(text);
    case "ipv4":
      return isIpv4(text);
    default:
      return true;
  }
}

function isEmail(text: string): boolean {
  if (text.length > 320 || /\s/.test(text)) return false;
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  return (
    at > 0 && domain !== "" && !domain.startsWith(".") && !domain.endsWith(".") && !domain.includes("..")
  );
}

function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isTime(text: string): boolean {
  const parts = TIME.exec(text);
  if (parts === null) return false;
  const [hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = parts
    .slice(1)
    .map((part) => Number((part as string | undefined) ?? 0));
  // Second 60 is a leap second and legal.
  return hour < 24 && minute < 60 && second <= 60 && offsetHour < 24 && offsetMinute < 60;
}

function isDateTime(text: string): boolean {
  return /^.{10}[tT ]/.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

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
