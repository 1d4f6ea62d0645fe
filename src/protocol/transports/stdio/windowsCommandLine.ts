/** What a batch file cannot be given: cmd.exe would end the command there. */
const UNSPEAKABLE = /[\r\n\0]/;

/** True when an argument can be handed to a batch file unchanged. */
export function isBatchSafe(argument: string): boolean {
  return !UNSPEAKABLE.test(argument);
}

/**
 * The arguments for cmd.exe that run a batch file with arguments exactly as given, to be passed verbatim.
 *
 * A batch file's command line is read twice: by cmd.exe, then by the program that the batch file hands `%*` to.
 * Therefore every argument is quoted, and a quote inside is doubled: that keeps `& | < > ^` inside quotes in
 * both readings, which a backslash before the quote would not. Percent signs are expanded even inside quotes;
 * an empty substring of a variable that always exists keeps them apart from the name that follows.
 * `/v:off` keeps `!` plain, `/d` runs no AutoRun command, `/s` strips exactly the outer pair of quotes.
 */
export function batchArguments(file: string, args: readonly string[]): string[] {
  const line = [file, ...args].map(quoteForBatch).join(" ");
  return ["/d", "/e:on", "/v:off", "/s", "/c", `"${line}"`];
}

function quoteForBatch(argument: string): string {
  const quoted = argument
    // Backslashes before a quote, or before the closing one, would escape it: double them.
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, "$1$1")
    .replaceAll("%", "%%cd:~,%");
  return `"${quoted}"`;
}
