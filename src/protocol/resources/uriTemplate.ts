import { EngineError } from "../engineError.ts";
import { shorten } from "../shorten.ts";

/** One variable of a template, by the first place where it stands. */
export interface TemplateVariable {
  readonly name: string;
  /** True with `*`: a list of values is written as several parts. */
  readonly explode: boolean;
  /** The number of characters that are used, where the template cuts the value. */
  readonly prefix?: number;
}

/** What a template text is: the variables to ask for, or the reason why it cannot be filled in. */
export type ReadTemplate =
  | { readonly kind: "template"; readonly variables: readonly TemplateVariable[] }
  | { readonly kind: "broken"; readonly reason: string };

/** Values by variable name. A variable without a value leaves its part out, which the RFC wants. */
export type TemplateValues = Readonly<Record<string, string | readonly string[]>>;

/** How an operator writes its values: the table of the RFC's appendix A. */
interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Values carry the name of their variable. */
  readonly isNamed: boolean;
  /** What stands behind the name of an empty value. */
  readonly ifEmpty: string;
  /** Reserved characters and escapes are kept as they are. */
  readonly keepsReserved: boolean;
}

/** A text between expressions, or an expression. */
type Part = string | { readonly operator: Operator; readonly variables: readonly TemplateVariable[] };

type Parsed = Part[] | { readonly reason: string };

const PLAIN: Operator = { first: "", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: false };
const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["+", { ...PLAIN, keepsReserved: true }],
  ["#", { ...PLAIN, first: "#", keepsReserved: true }],
  [".", { ...PLAIN, first: ".", separator: "." }],
  ["/", { ...PLAIN, first: "/", separator: "/" }],
  [";", { ...PLAIN, first: ";", separator: ";", isNamed: true }],
  ["?", { ...PLAIN, first: "?", separator: "&", isNamed: true, ifEmpty: "=" }],
  ["&", { ...PLAIN, first: "&", separator: "&", isNamed: true, ifEmpty: "=" }],
]);

/** A longer template is not one that a person fills in. */
const MAX_LENGTH = 8_192;
const VARIABLE =
  /^(?<name>(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*)(?<explode>\*)?(?::(?<prefix>[1-9]\d{0,3}))?$/;
const RESERVED = /^[:/?#[\]@!$&'()*+,;=]$/;

/**
 * Reads a URI template of any level.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
export function readUriTemplate(template: string): ReadTemplate {
  const parsed = parse(template);
  if (!Array.isArray(parsed)) return { kind: "broken", reason: parsed.reason };
  const variables = new Map<string, TemplateVariable>();
  for (const part of parsed) {
    if (typeof part === "string") continue;
    for (const variable of part.variables)
      if (!variables.has(variable.name)) variables.set(variable.name, variable);
  }
  return { kind: "template", variables: [...variables.values()] };
}

/**
 * Fills in a template. An empty text is a value; a variable that is not named has none.
 *
 * @throws EngineError `broken-template`
 */
export function expandUriTemplate(serverName: string, template: string, values: TemplateValues): string {
  const broken = (reason: string): EngineError =>
    new EngineError("broken-template", { server: serverName, template: shorten(template), reason });
  const parsed = parse(template);
  if (!Array.isArray(parsed)) throw broken(parsed.reason);
  const uri: string[] = [];
  for (const part of parsed) {
    if (typeof part === "string") {
      uri.push(encode(part, true) ?? "");
      continue;
    }
    const written: string[] = [];
    for (const variable of part.variables) {
      const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
      if (value === undefined || (typeof value !== "string" && value.length === 0)) continue;
      if (typeof value !== "string" && variable.prefix !== undefined)
        throw broken(`it cuts “${variable.name}”, which has a list of values`);
      const text = write(variable, value, part.operator);
      if (text === undefined) throw broken(`the value of “${variable.name}” is no text that a URI can hold`);
      written.push(text);
    }
    if (written.length > 0) uri.push(part.operator.first, written.join(part.operator.separator));
  }
  return uri.join("");
}

function parse(template: string): Parsed {
  if (template.length > MAX_LENGTH) return { reason: `it has more than ${String(MAX_LENGTH)} characters` };
  const parts: Part[] = [];
  let at = 0;
  for (const match of template.matchAll(/\{([^{}]*)\}/g)) {
    parts.push(template.slice(at, match.index));
    const expression = match[1] ?? "";
    const named = OPERATORS.get(expression.charAt(0));
    const variables = (named === undefined ? expression : expression.slice(1)).split(",").map(parseVariable);
    if (!variables.every((variable) => variable !== undefined))
      return { reason: `“${shorten(match[0])}” is no expression` };
    parts.push({ operator: named ?? PLAIN, variables });
    at = match.index + match[0].length;
  }
  parts.push(template.slice(at));
  const isWhole = parts.every((part) => typeof part !== "string" || !/[{}]/.test(part));
  if (!isWhole) return { reason: "it has a brace without its other half" };
  if (/\p{Surrogate}/u.test(template)) return { reason: "it holds half of a character" };
  return parts;
}

function parseVariable(text: string): TemplateVariable | undefined {
  const { name, explode, prefix } = VARIABLE.exec(text)?.groups ?? {};
  if (name === undefined || (explode !== undefined && prefix !== undefined)) return undefined;
  return { name, explode: explode !== undefined, ...(prefix !== undefined && { prefix: Number(prefix) }) };
}

/** The value or values of one variable; undefined when a URI cannot hold them. */
function write(
  { name, explode, prefix }: TemplateVariable,
  value: string | readonly string[],
  { separator, isNamed, ifEmpty, keepsReserved }: Operator,
): string | undefined {
  const texts = typeof value === "string" ? [Array.from(value).slice(0, prefix).join("")] : value;
  const encoded: string[] = [];
  for (const text of texts) {
    const one = encode(text, keepsReserved);
    if (one === undefined) return undefined;
    encoded.push(one);
  }
  const named = (text: string): string => (isNamed ? `${name}${text === "" ? ifEmpty : `=${text}`}` : text);
  return explode ? encoded.map(named).join(separator) : named(encoded.join(","));
}

/** Each character that does not stand for itself, as the escapes of its UTF-8. Undefined for half a surrogate pair. */
function encode(text: string, keepsReserved: boolean): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return undefined;
  return text.replace(/%[0-9A-Fa-f]{2}|[^\w.~-]/gu, (unit) => {
    if (keepsReserved && (unit.length === 3 || RESERVED.test(unit))) return unit;
    // An escape that is not kept is three characters like any others; its digits stand for themselves.
    return encodeURIComponent(unit).replace(
      /[!'()*]/g,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  });
}
