/** Variables that every process needs to find its programs, its home, its language and its time zone. */
const SAFE_POSIX: readonly string[] = [
  "PATH",
  "HOME",
  "LANG",
  "TMPDIR",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "TZ",
];

/** The same for Windows, where many programs do not start without these. Upper case. */
const SAFE_WINDOWS: readonly string[] = [
  "PATH",
  "PATHEXT",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROGRAMW6432",
  "PROCESSOR_ARCHITECTURE",
  "NUMBER_OF_PROCESSORS",
  "OS",
  "LANG",
  "TZ",
];

/** What a server's configuration says about the environment of its process. */
export interface EnvironmentWishes {
  /** Variables to set; null removes one that would be inherited. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Names to inherit beside the safe set; `true` inherits everything. */
  readonly inheritEnv: readonly string[] | true;
}

/**
 * The whole environment of a child process: the safe set, what is inherited by name, and what is set.
 * Everything else of the parent, such as tokens of other programs, stays out.
 * Names are compared without case on Windows, as the system does.
 */
export function buildEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  wishes: EnvironmentWishes,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const key =
    platform === "win32" ? (name: string): string => name.toUpperCase() : (name: string): string => name;
  const isInherited = inheritedNames(wishes.inheritEnv, platform, key);
  const built = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of Object.entries(parent)) {
    // A value that starts like this is a shell function exported by bash, never a plain variable.
    if (value === undefined || (value.startsWith("() {") && wishes.inheritEnv !== true)) continue;
    if (isInherited(key(name))) built.set(key(name), [name, value]);
  }
  for (const [name, value] of Object.entries(wishes.env)) {
    built.delete(key(name));
    if (value !== null) built.set(key(name), [name, value]);
  }
  return Object.fromEntries(built.values());
}

function inheritedNames(
  inheritEnv: readonly string[] | true,
  platform: NodeJS.Platform,
  key: (name: string) => string,
): (name: string) => boolean {
  if (inheritEnv === true) return () => true;
  const names = new Set([...(platform === "win32" ? SAFE_WINDOWS : SAFE_POSIX), ...inheritEnv.map(key)]);
  return (name) => names.has(name) || name.startsWith("LC_");
}

/** The value of a variable in a built environment; on Windows whatever the case of its name. */
export function readVariable(
  env: Readonly<Record<string, string>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== "win32") return env[name];
  const wanted = name.toUpperCase();
  return Object.entries(env).find(([key]) => key.toUpperCase() === wanted)?.[1];
}
