import { dirname, join } from "node:path";
import { format } from "node:util";
import Mocha from "mocha";

/** Tells the launcher which lines are the suite's: the rest is what the editor logs about itself. */
const MARK = "##";

/** Called by VS Code in the extension host. The suite is the file beside this one; see scripts/lib/inEditor.mjs. */
export async function run(): Promise<void> {
  const { SIGNALBOX_ROOT: root, SIGNALBOX_GREP: grep } = process.env;
  const write = console.log.bind(console);
  const print = (...args: unknown[]): void => {
    for (const line of format(...args).split("\n")) write(`${MARK}${line}`);
  };
  // Mocha keeps the function that it found when it was loaded.
  console.log = Mocha.reporters.Base.consoleLog = print;
  const mocha = new Mocha({
    ui: "bdd",
    timeout: 30_000,
    forbidOnly: true,
    reporter: join(root ?? dirname(dirname(dirname(__dirname))), "scripts", "lib", "reporter.cjs"),
    ...(grep === undefined || grep === "" ? {} : { fgrep: grep }),
  });
  mocha.addFile(join(__dirname, "suite.cjs"));
  const failed = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on("fail", (test) => {
      write(`${MARK}failed ${test.fullTitle()}`);
    });
  });
  if (failed > 0) throw new Error(`${failed} of the tests failed`);
}
