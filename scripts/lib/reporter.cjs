"use strict";
// The mocha reporter of every tier: mocha's own `spec` to look at, and the counts as JSON for the runner.
const { writeFileSync } = require("node:fs");
const Mocha = require("mocha");

const LINGER_MS = 5000;

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    runner.on("fail", (test, error) =>
      failures.push({ title: test.fullTitle(), error: error.stack ?? String(error) }),
    );
    runner.once("end", () => {
      const { passes, pending } = runner.stats;
      const write = () => {
        // A skipped test proves nothing, so it counts as one that failed.
        const counts = { passed: passes, failed: failures.length + pending, pending, failures };
        if (process.env.SIGNALBOX_COUNTS)
          writeFileSync(process.env.SIGNALBOX_COUNTS, JSON.stringify(counts, null, 1));
      };
      write();
      if (process.env.SIGNALBOX_IN_EDITOR) return;
      setTimeout(() => {
        const left = process.getActiveResourcesInfo().join(", ");
        failures.push({
          title: "the suite leaves nothing behind",
          error: `still open after ${LINGER_MS} ms: ${left}`,
        });
        console.error(`The suite ended, but something keeps the process alive: ${left}`);
        write();
        process.exit(1);
      }, LINGER_MS).unref();
    });
  }
};
