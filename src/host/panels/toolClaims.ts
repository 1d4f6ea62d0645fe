import type { ToolAnnotations } from "../../protocol/model/tool.ts";
import type { Translate } from "../../shared/translate.ts";

/** A server's hints about a tool as sentences. They are its claims: shown, never acted upon. */
export function toolClaims(annotations: ToolAnnotations | undefined, t: Translate): readonly string[] {
  if (annotations === undefined) return [];
  const claims: string[] = [];
  if (annotations.readOnlyHint === true) claims.push(t("claims to be read-only"));
  if (annotations.readOnlyHint !== true && annotations.destructiveHint === true)
    claims.push(t("says it may destroy data"));
  if (annotations.readOnlyHint !== true && annotations.destructiveHint === false) {
    claims.push(t("claims only to add, not to destroy"));
  }
  if (annotations.idempotentHint === true)
    claims.push(t("claims that repeating a call changes nothing more"));
  if (annotations.openWorldHint === true) claims.push(t("says it reaches systems outside the server"));
  if (annotations.openWorldHint === false) claims.push(t("claims to stay within the server"));
  return claims;
}
