const VSCHARS = /^[\x20-\x7E]+$/;

/** True for what may be the id or the secret of a client: visible ASCII and blanks (RFC 6749, appendix A). */
export function isCredentialText(text: string): boolean {
  return VSCHARS.test(text);
}
