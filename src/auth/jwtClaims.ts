import { type JsonObject, parseJsonObject } from "../base/json.ts";

/** The claims of a JWT, whose signature is not looked at: for whoever decides by them nothing that matters. */
export function jwtClaims(jwt: string): JsonObject | undefined {
  return parseJsonObject(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8"));
}
