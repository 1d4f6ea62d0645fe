/** Evidence is for reading, not for scrolling through: longer ones are cut. Characters. */
const MAX_EVIDENCE = 16_384;

/** The start of a long text, for what says most in its first lines: a stack, the data of an error. */
export function startOf(text: string): string {
  return text.length <= MAX_EVIDENCE ? text : `${text.slice(0, MAX_EVIDENCE)}…`;
}

/** The end of a long text, for what a process wrote before it failed: the reason comes last. */
export function endOf(text: string): string {
  return text.length <= MAX_EVIDENCE ? text : `…${text.slice(-MAX_EVIDENCE)}`;
}
