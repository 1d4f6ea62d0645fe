import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";

import { errorText } from "../../../base/errors.ts";
import { EngineError } from "../../engineError.ts";
import { type FileProbe, resolveCommand } from "./resolveCommand.ts";

/** A server's process as the resolved configuration describes it. */
export interface SpawnRequest {
  readonly serverName: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  /** The whole environment of the child; nothing is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
}

/**
 * Starts the process, leading a process group of its own on POSIX. Resolves when it runs.
 * @throws EngineError `command-not-found` or `spawn-failed`
 */
export async function spawnServer(request: SpawnRequest): Promise<ChildProcessWithoutNullStreams> {
  const { serverName, command, env, platform } = request;
  const cwd = request.cwd ?? process.cwd();
  if (!(await isDirectory(cwd))) throw spawnFailed(request, `the working directory “${cwd}” does not exist`);
  const resolved = await resolveCommand({ command, args: request.args, cwd, env, platform }, probeFile);
  if (resolved.kind === "not-found") {
    throw new EngineError("command-not-found", { server: serverName, command, path: resolved.searched });
  }
  if (resolved.kind === "unusable") throw spawnFailed(request, resolved.reason);
  return new Promise((resolve, reject) => {
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(resolved.file, resolved.args, {
        cwd,
        env,
        stdio: "pipe",
        detached: platform !== "win32",
        windowsHide: true,
        windowsVerbatimArguments: resolved.verbatim,
      });
    } catch (error) {
      reject(spawnFailed(request, errorText(error), error));
      return;
    }
    const onError = (error: NodeJS.ErrnoException): void => {
      // The file is there, so that what is missing is the program that its first line names.
      const reason =
        error.code === "ENOENT" ? `the interpreter that “${resolved.file}” names is missing` : error.message;
      reject(spawnFailed(request, reason, error));
    };
    child.once("error", onError);
    child.once("spawn", () => {
      child.off("error", onError);
      resolve(child);
    });
  });
}

function spawnFailed(request: SpawnRequest, reason: string, cause?: unknown): EngineError {
  return new EngineError("spawn-failed", { server: request.serverName, reason }, { cause });
}

async function isDirectory(directory: string): Promise<boolean> {
  try {
    return (await stat(directory)).isDirectory();
  } catch {
    return false;
  }
}

const probeFile: FileProbe = async (file) => {
  try {
    if (!(await stat(file)).isFile()) return "missing";
    await access(file, constants.X_OK);
    return "executable";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "file" : "missing";
  }
};
