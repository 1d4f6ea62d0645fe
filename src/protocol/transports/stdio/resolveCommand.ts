import path from "node:path";

import { readVariable } from "./environment.ts";
import { batchArguments, isBatchSafe } from "./windowsCommandLine.ts";

/** Says what a path is, for looking up commands. */
export type FileProbe = (file: string) => Promise<"executable" | "file" | "missing">;

/** A command as the configuration gives it, and where it runs. */
export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute; relative commands with a separator start here. */
  readonly cwd: string;
  /** The environment of the child, whose PATH is searched. */
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
}

/** What to start, or why it cannot be started. */
export type ResolvedCommand =
  | {
      readonly kind: "found";
      readonly file: string;
      readonly args: readonly string[];
      readonly verbatim: boolean;
    }
  | { readonly kind: "not-found"; readonly searched: string }
  | { readonly kind: "unusable"; readonly reason: string };

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
const DEFAULT_PATHEXT = ".COM;.EXE;.BAT;.CMD";

/**
 * Finds the file that a command names, as a shell of the platform would, and how to start it.
 * On Windows that covers `npx` for `npx.cmd`: batch files run through cmd.exe with every argument kept as given.
 * The current directory is searched only when the command says so with a separator.
 */
export async function resolveCommand(request: CommandRequest, probe: FileProbe): Promise<ResolvedCommand> {
  const { command, platform } = request;
  if (command.trim() === "") return { kind: "unusable", reason: "the command is empty" };
  if (request.args.some((argument) => argument.includes("\0")) || command.includes("\0")) {
    return { kind: "unusable", reason: "the command or an argument holds a NUL character" };
  }
  const { names, searched } = candidates(request);
  let notExecutable: string | undefined;
  for (const file of names) {
    const what = await probe(file);
    // Windows knows no executable bit: the extension says it.
    if (what === "executable" || (what === "file" && platform === "win32")) return startOf(file, request);
    if (what === "file") notExecutable ??= file;
  }
  if (notExecutable !== undefined)
    return { kind: "unusable", reason: `“${notExecutable}” is not executable` };
  return { kind: "not-found", searched };
}

function candidates(request: CommandRequest): { names: string[]; searched: string } {
  const { command, cwd, env, platform } = request;
  const windows = platform === "win32";
  const paths = windows ? path.win32 : path.posix;
  const searchPath = readVariable(env, "PATH", platform) ?? (windows ? "" : DEFAULT_PATH);
  const isPath = command.includes("/") || (windows && (command.includes("\\") || /^[a-z]:/i.test(command)));
  const directories = isPath ? [cwd] : searchPath.split(paths.delimiter).filter((entry) => entry !== "");
  const suffixes = windows ? windowsSuffixes(command, env) : [""];
  const names = directories.flatMap((directory) => {
    // Windows allows quotes around an entry that holds a semicolon or a space.
    const plain = windows ? directory.replace(/^"(.*)"$/, "$1") : directory;
    return suffixes.map((suffix) => paths.resolve(cwd, plain, command + suffix));
  });
  return { names, searched: isPath ? paths.resolve(cwd, command) : searchPath };
}

function windowsSuffixes(command: string, env: Readonly<Record<string, string>>): string[] {
  const known = (readVariable(env, "PATHEXT", "win32") ?? DEFAULT_PATHEXT)
    .split(";")
    .map((suffix) => suffix.trim().toLowerCase())
    .filter((suffix) => suffix !== "");
  const own = path.win32.extname(command).toLowerCase();
  return known.includes(own) ? ["", ...known] : known;
}

function startOf(file: string, request: CommandRequest): ResolvedCommand {
  if (request.platform !== "win32" || !/\.(?:cmd|bat)$/i.test(file)) {
    return { kind: "found", file, args: request.args, verbatim: false };
  }
  if (!request.args.every(isBatchSafe)) {
    return { kind: "unusable", reason: "an argument holds a line break, which a batch file cannot be given" };
  }
  const root = readVariable(request.env, "SYSTEMROOT", "win32") ?? "C:\\Windows";
  const cmd = path.win32.join(root, "System32", "cmd.exe");
  return { kind: "found", file: cmd, args: batchArguments(file, request.args), verbatim: true };
}
