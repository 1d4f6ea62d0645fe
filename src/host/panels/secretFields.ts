import type { FormField } from "../../protocol/mrtr/inputRequired.ts";

/** Words of field names and titles that ask for credentials or payment data. English and Chinese. */
const SECRET_WORDS =
  /pass(word|phrase|code|wd)|\bpwd\b|\bpin\b|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|credential|\botp\b|one[-_ ]time|card[-_ ]?(number|no)|credit[-_ ]?card|\bcv[vc]2?\b|\biban\b|\bssn\b|social[-_ ]?security|密码|口令|密钥|令牌|验证码|信用卡|银行卡|身份证/iu;

/**
 * True when a field looks as if it asked for a credential. Servers must not ask for those in forms, so the person is
 * warned; the field stays an ordinary one, because a masked field would make the request look legitimate.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#security-considerations
 */
export function looksLikeSecret(field: FormField): boolean {
  if (field.kind !== "text" && field.kind !== "number") return false;
  return [field.name, field.title, field.description ?? ""].some((text) => SECRET_WORDS.test(spaced(text)));
}

/** Puts spaces where camelCase and separators join words, so that `userPin` has the word `pin`. */
function spaced(text: string): string {
  return text.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").replaceAll("_", " ");
}
