/** What the input of chat would take for a command, a participant or a reference. */
const ACTIVE_WORDS = /^\s*\/\S|(?:^|\s)[@#]\S/;
const MAX_TEXT = 8_000;

/**
 * Whether a text from a server may stand in the chat input. One that chat would understand as more than words, or that
 * nobody would read through there, is attached as a document instead.
 */
export function fitsChatInput(text: string): boolean {
  return text.length <= MAX_TEXT && !ACTIVE_WORDS.test(text);
}
