import { isJsonObject, type JsonValue, stringifyJson } from "../../base/json.ts";
import { isNumber } from "./keywordShapes.ts";
import type { SchemaBudget } from "./schemaRun.ts";

/** True when two JSON values are the same: numbers by their value, objects whatever the order of their names. */
export function isSameJson(a: JsonValue, b: JsonValue, budget: SchemaBudget): boolean {
  const open: [JsonValue, JsonValue][] = [[a, b]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    budget.spend(1);
    const [left, right] = pair;
    if (left === right) continue;
    if (isNumber(left) && isNumber(right)) {
      // A bigint equals the number of the same value only in a comparison like this one.
      if (left <= right && left >= right) continue;
      return false;
    }
    const children = pairChildren(left, right, budget);
    if (children === undefined) return false;
    for (const child of children) open.push(child);
  }
  return true;
}

/** The parts of two values that must be the same for the values to be; undefined when they cannot be. */
function pairChildren(
  a: JsonValue,
  b: JsonValue,
  budget: SchemaBudget,
): [JsonValue, JsonValue][] | undefined {
  if (Array.isArray(a) && Array.isArray(b)) {
    const others = b as readonly JsonValue[];
    if (a.length !== others.length) return undefined;
    budget.spend(a.length);
    return (a as readonly JsonValue[]).map((item, index) => [item, others[index] ?? null]);
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return undefined;
  const names = Object.keys(a);
  budget.spend(names.length);
  if (names.length !== Object.keys(b).length) return undefined;
  const pairs: [JsonValue, JsonValue][] = [];
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return undefined;
    pairs.push([a[name] ?? null, b[name] ?? null]);
  }
  return pairs;
}

/** The positions of the first item that comes twice, or undefined. Linear in the size of the items. */
export function findDuplicate(
  items: readonly JsonValue[],
  budget: SchemaBudget,
): readonly [number, number] | undefined {
  if (items.length < 2) return undefined;
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = writeKey(item, budget);
    const first = seen.get(key);
    if (first !== undefined) return [first, index];
    seen.set(key, index);
  }
  return undefined;
}

/** One text for one value, as `isSameJson` compares them. Not recursive: a value may be of any depth. */
function writeKey(value: JsonValue, budget: SchemaBudget): string {
  const parts: string[] = [];
  // What is still to be written, last first: values, and texts that stand for themselves.
  const open: ({ readonly value: JsonValue } | string)[] = [{ value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    budget.spend(2);
    if (typeof next === "string") {
      parts.push(next);
      continue;
    }
    const item = next.value;
    if (Array.isArray(item)) {
      budget.spend(item.length);
      open.push("]");
      for (const part of (item as readonly JsonValue[]).toReversed()) open.push(",", { value: part });
      parts.push("[");
    } else if (isJsonObject(item)) {
      const names = Object.keys(item).sort().reverse();
      budget.spend(names.length * 4);
      open.push("}");
      for (const name of names) open.push(",", { value: item[name] ?? null }, writeScalar(name));
      parts.push("{");
    } else {
      if (typeof item === "string") budget.spend(item.length / 8);
      parts.push(writeScalar(item));
    }
  }
  return parts.join("");
}

function writeScalar(value: JsonValue): string {
  // A number that is an integer is written as a bigint is, so that both are the same.
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  // With its length before it a text needs no escapes.
  if (typeof value === "string") return `${String(value.length)}"${value}`;
  return typeof value === "bigint" ? value.toString() : stringifyJson(value);
}

/** True when a number is a multiple of another, by their decimal digits: 0.3 is one of 0.1. */
export function isMultipleOf(value: number | bigint, step: number | bigint): boolean {
  if (typeof value === "number" && !Number.isFinite(value)) return false;
  if (typeof value === "number" && typeof step === "number" && Number.isSafeInteger(step)) {
    if (Number.isSafeInteger(value)) return value % step === 0;
  }
  const a = readDecimal(value);
  const b = readDecimal(step);
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  return scale(a) % scale(b) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function readDecimal(value: number | bigint): Decimal {
  if (typeof value === "bigint") return { digits: value, exponent: 0 };
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
