import { endEverything, isSignalled } from "./processes.mjs";

/**
 * Runs a script's main function: its answer is the exit code, an error is printed without a stack
 * unless DEBUG is set, and every child is ended in either case.
 */
export async function runMain(main) {
  let code = 1;
  try {
    code = (await main()) ?? 0;
  } catch (error) {
    // The handler of the signal ends the process once everything is gone.
    if (isSignalled()) return;
    console.error(
      process.env.DEBUG ? error : `Error: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  await endEverything();
  process.exit(code);
}
