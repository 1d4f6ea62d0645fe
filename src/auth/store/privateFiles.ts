import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, chmod, open } from "node:fs/promises";

/** Undefined where files have no owner of that kind. */
const userId = process.getuid?.();

/** Windows has no such flag, and asks for a privilege to make links. */
const NO_FOLLOW = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;

/**
 * Makes a directory that only this user can enter, or takes that away from others when it is there. Rejects when it is
 * a link, no directory, or somebody else's.
 */
export async function makePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const found = await lstat(path);
  if (!found.isDirectory()) throw new Error(`${path} is not a directory`);
  if (userId === undefined) return;
  if (found.uid !== userId) throw new Error(`${path} belongs to another user`);
  if ((found.mode & 0o077) !== 0) await chmod(path, 0o700);
}

/** Makes a new file that only this user can read. Rejects with `EEXIST` when there is anything of that name. */
export function createPrivateFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | NO_FOLLOW, 0o600);
}

/**
 * The text of a file that only this user can read; undefined when there is none. Rights that others have are taken away.
 * Rejects when it is a link, has another name as well, belongs to somebody else, or is longer than the limit in bytes.
 */
export async function readPrivateFile(path: string, maxBytes: number): Promise<string | undefined> {
  const file = await openToRead(path);
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`${path} is not a file`);
    if (found.size > maxBytes) throw new Error(`${path} is too long`);
    if (userId !== undefined) {
      if (found.uid !== userId) throw new Error(`${path} belongs to another user`);
      if (found.nlink > 1) throw new Error(`${path} has a second name`);
      if ((found.mode & 0o077) !== 0) await file.chmod(0o600);
    }
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

async function openToRead(path: string): Promise<FileHandle | undefined> {
  // Not to wait for the other end of a pipe that somebody put there.
  const nonBlocking = (constants as { readonly O_NONBLOCK?: number }).O_NONBLOCK ?? 0;
  try {
    return await open(path, constants.O_RDONLY | NO_FOLLOW | nonBlocking);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    if (isCode(error, "ELOOP")) throw new Error(`${path} is a link`, { cause: error });
    throw error;
  }
}

/** True for an error of the system with this code. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
