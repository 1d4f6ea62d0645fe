import { createInterface } from "node:readline";
import { DIST } from "./paths.mjs";
import { endChild, startChild } from "./processes.mjs";
import path from "node:path";

const START_LIMIT_MS = 20_000;

/**
 * Starts the demo server over HTTP with two replicas behind one port, and waits until it serves.
 * `command` passes on "kill A", "start A" or "status" and answers what the demo says.
 */
export async function startDemo({ port = 0, node = process.execPath } = {}) {
  const child = startChild(node, [path.join(DIST, "demo.mjs"), "--http", String(port), "--control"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const answers = [];
  createInterface({ input: child.stdout }).on("line", (line) => answers.shift()?.(line));
  const url = await readAddress(child);
  const command = (text) =>
    new Promise((resolve) => {
      answers.push(resolve);
      child.stdin.write(`${text}\n`);
    });
  return { url, child, command, dispose: () => endChild(child) };
}

function readAddress(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => fail("it was not ready in time"), START_LIMIT_MS);
    const fail = (reason) => {
      clearTimeout(timer);
      reject(new Error(`The demo server did not start: ${reason}\n${said}`));
    };
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text) => {
      said = (said + text).slice(-4096);
      const url = /ready at (\S+)/.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    child.once("exit", (code) => fail(`it ended with ${code}`));
  });
}
