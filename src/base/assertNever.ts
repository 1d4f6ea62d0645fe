import { stringifyJson } from "./json.ts";
/** Ends a `switch` that the compiler has shown to be exhaustive. Reaching it at run time is a bug of ours. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${stringifyJson(value)}`);
}
