import * as z from "zod";
import { isJsonObject, type JsonObject } from "../base/json.ts";

/**
 * A JSON object in a message that came through JSON, so that whatever is in it is JSON: only that it is an object is
 * left to be asked. Unlike `z.json()`, it knows bigints, and `__proto__` as a name.
 */
export const jsonObject: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject);
