import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from "../base/json.ts";
import type { Implementation } from "../protocol/model/server.ts";
import { createCliPlaceholders } from "./cliPlaceholders.ts";
import { formatText } from "./formatReport.ts";
import { type OutputFormat, parseArguments, type RunInvocation, USAGE } from "./parseArguments.ts";
import { checkArguments, readJsonArguments } from "./readTarget.ts";
import { readConfigFile } from "./readConfigFile.ts";
import { type ErrorReport, exitCodeOf, type Report } from "./report.ts";
import { runCommand } from "./runCommand.ts";
import { toTerminalText } from "./terminalText.ts";

const INTERRUPTED = 130;

/** The command line program. Resolves with the exit code when everything is written and every process has ended. */
export async function main(argv: readonly string[], packagePath: string): Promise<number> {
  // A reader such as `head` may go away early; that is no failure.
  process.stdout.on("error", () => undefined);
  const invocation = parseArguments(argv);
  if (invocation.kind === "help") {
    await write(process.stdout, USAGE);
    return 0;
  }
  if (invocation.kind === "usage") {
    return writeReport(
      failure(null, null, "wrong-usage", invocation.problem, "Run it with --help to see how it is used."),
      invocation.format,
    );
  }
  const interruption = watchInterruption();
  try {
    const report = await run(invocation, packagePath, interruption.signal);
    const code = await writeReport(report, invocation.format);
    return interruption.signal.aborted ? INTERRUPTED : code;
  } finally {
    interruption.dispose();
  }
}

async function run(invocation: RunInvocation, packagePath: string, signal: AbortSignal): Promise<Report> {
  const { command, server } = invocation;
  const file = await readConfigFile(invocation.config, server);
  if (file.kind === "failed") return failure(command, server, file.code, file.message, file.remedy);
  const args =
    invocation.args === "stdin" ? readJsonArguments(await readAll(process.stdin)) : (invocation.args ?? {});
  const mistake = typeof args === "string" ? args : checkArguments(command, args);
  if (typeof args === "string" || mistake !== undefined)
    return failure(command, server, "wrong-usage", mistake ?? "", "Give the arguments as one JSON object.");
  const report = await runCommand(invocation, file.config, args, {
    placeholders: createCliPlaceholders(process.cwd(), process.env, packagePath),
    clientInfo: await readClientInfo(packagePath),
    log: invocation.verbose ? (line) => process.stderr.write(`${toTerminalText(line)}\n`) : undefined,
    signal,
  });
  return { ...report, warnings: [...file.warnings, ...report.warnings] };
}

function failure(
  command: Report["command"],
  server: string | null,
  code: string,
  message: string,
  remedy: string,
): Report {
  const error: ErrorReport = { source: "usage", code, message, remedy, detail: null };
  return { ok: false, command, server, connection: null, warnings: [], error };
}

async function readClientInfo(packagePath: string): Promise<Implementation> {
  const manifest = await readManifest(join(packagePath, "package.json"));
  const version = manifest["version"];
  return { name: "signalbox", title: "Signalbox", version: typeof version === "string" ? version : "0.0.0" };
}

async function readManifest(path: string): Promise<JsonObject> {
  try {
    const value: unknown = parseJson(await readFile(path, "utf8"));
    return isJsonObject(value) ? value : {};
  } catch {
    // Copied away from its package, the program still works.
    return {};
  }
}

async function writeReport(report: Report, format: OutputFormat): Promise<number> {
  if (format === "json") await write(process.stdout, `${stringifyJson(report, 2)}\n`);
  else {
    const { out, err } = formatText(report);
    await write(process.stdout, out);
    await write(process.stderr, err);
  }
  return exitCodeOf(report);
}

/** Resolves when the text has left the process: an early exit would cut off a pipe. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (text === "") return Promise.resolve();
  return new Promise((resolve) => {
    stream.write(text, () => {
      resolve();
    });
  });
}

/** The first signal cancels and lets everything end in order; the second one ends the program at once. */
function watchInterruption(): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort(new Error("Interrupted."));
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
