import { execFile, spawnSync } from "node:child_process";

/** Root may do it as it is; others need a user namespace, which many systems do not allow. */
const UNSHARE = process.getuid?.() === 0 ? ["-n"] : ["-rn"];

/** Why programs cannot be given a network of their own here; undefined when they can. */
export function whyNoNamespace(): string | undefined {
  if (process.platform !== "linux") return "only Linux has network namespaces";
  const { status, stderr, error } = spawnSync("unshare", [...UNSHARE, "ip", "link", "set", "lo", "up"], {
    encoding: "utf8",
  });
  if (status === 0) return undefined;
  return error?.message ?? stderr.trim().split("\n")[0] ?? "unshare failed";
}

/**
 * Runs a script in a network of its own, in which this machine has all of these addresses and nothing else is there.
 * @returns what the script writes to standard output, as JSON
 */
export async function runInNamespace(script: string, addresses: readonly string[]): Promise<unknown> {
  const setUp = [
    "ip link set lo up",
    ...addresses.map((address) => `ip addr add ${address} dev lo${address.includes(":") ? " nodad" : ""}`),
    'exec "$0" "$@"',
  ];
  const inside = ["sh", "-c", setUp.join(" && "), process.execPath, script];
  return await new Promise((resolve, reject) => {
    execFile("unshare", [...UNSHARE, ...inside], { timeout: 30_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout));
      else reject(new Error(`${error.message}\n${stderr}`));
    });
  });
}
