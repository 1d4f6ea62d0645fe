import { type JsonObject, parseJsonObject } from "../base/json.ts";

/** The claims of a JWT, whose signature is nobody's business here; undefined when it is no JWT. */
export function readJwtClaims(jwt: string): JsonObject | undefined {
  return parseJsonObject(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8"));
}
