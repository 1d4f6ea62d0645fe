import type * as z from "zod";
import { PORT_RANGE } from "./authorization/oauthSchema.ts";
import { CONFIG_PROBLEMS, type ConfigProblemCode, createProblem } from "./configProblems.ts";
import type { ConfigProblem } from "./serverConfig.ts";
import { LIMIT_RANGES, TIMEOUT_RANGES } from "./serverSchema.ts";

/** Turns what zod found into a problem with one of our sentences. `entry` is the value that was checked. */
export function describeIssue(serverId: string, entry: unknown, issue: z.core.$ZodIssue): ConfigProblem {
  const path = issue.path.map((key) => (typeof key === "symbol" ? String(key) : key));
  const [code, args] = classifyIssue(issue, path, valueAt(entry, path) === undefined);
  return createProblem("error", serverId, path, code, args);
}

type Described = readonly [code: ConfigProblemCode, args?: ConfigProblem["args"]];

/** What a value of several possible kinds should have been, by its key. */
const UNIONS: Readonly<Record<string, ConfigProblemCode>> = { proxy: "not-proxy", roots: "not-roots" };

function classifyIssue(
  issue: z.core.$ZodIssue,
  path: readonly (string | number)[],
  isMissing: boolean,
): Described {
  switch (issue.code) {
    case "invalid_type":
      return isMissing ? ["missing"] : [typeCode(issue.expected)];
    case "invalid_value":
      return ["one-of", { values: issue.values.map((value) => `“${String(value)}”`).join(", ") }];
    case "too_small":
    case "too_big":
      return ["range", rangeOf(path)];
    case "invalid_union":
      return [UNIONS[String(path[0])] ?? "not-inherit"];
    case "custom":
      return [issue.message in CONFIG_PROBLEMS ? (issue.message as ConfigProblemCode) : "not-text"];
    default:
      return ["not-text"];
  }
}

function typeCode(expected: string): ConfigProblemCode {
  switch (expected) {
    case "number":
      return "not-number";
    case "int":
      return "not-integer";
    case "boolean":
      return "not-boolean";
    case "array":
      return "not-list";
    case "object":
    case "record":
      return "not-object";
    default:
      return "not-text";
  }
}

function rangeOf(path: readonly (string | number)[]): ConfigProblem["args"] {
  const [group, key = ""] = path;
  if (group === "oauth") return { minimum: PORT_RANGE[0], maximum: PORT_RANGE[1] };
  const ranges: Readonly<Record<string, readonly [number, number]>> =
    group === "timeouts" ? TIMEOUT_RANGES : LIMIT_RANGES;
  const [minimum, maximum] = ranges[key] ?? [0, Number.MAX_SAFE_INTEGER];
  return { minimum, maximum };
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Readonly<Record<string | number, unknown>>)[key];
  }
  return current;
}
