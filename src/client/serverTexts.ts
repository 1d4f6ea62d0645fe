import { listOauthTexts, mapOauthTexts } from "./authorization/oauthTexts.ts";
import type { ServerConfig } from "./serverConfig.ts";

/** A string of a definition in which placeholders are filled, and where it stands. */
export interface ServerText {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** Every string of a definition that may hold placeholders, in the order in which they are filled. */
export function listTexts(config: ServerConfig): readonly ServerText[] {
  const texts: ServerText[] = [];
  const add = (path: readonly (string | number)[], text: string | null | undefined): void => {
    if (text !== undefined && text !== null) texts.push({ path, text });
  };
  if (config.type === "stdio") {
    add(["command"], config.command);
    for (const [index, argument] of config.args.entries()) add(["args", index], argument);
    add(["cwd"], config.cwd);
    add(["envFile"], config.envFile);
    for (const [name, value] of Object.entries(config.env)) add(["env", name], value);
  } else {
    add(["url"], config.url);
    for (const [name, value] of Object.entries(config.headers)) add(["headers", name], value);
    if (config.proxy !== false) add(["proxy"], config.proxy);
    for (const [name, value] of Object.entries(config.tls ?? {})) add(["tls", name], value as string);
    for (const { path, text } of listOauthTexts(config.oauth)) add(["oauth", ...path], text);
  }
  return texts;
}

/** The definition with every string of `listTexts` replaced. */
export function mapTexts<T extends ServerConfig>(config: T, map: (text: string) => string): T {
  const mapRecord = (record: Readonly<Record<string, string | null>>): Record<string, string | null> =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, value === null ? null : map(value)]),
    );
  if (config.type === "stdio") {
    return {
      ...config,
      command: map(config.command),
      args: config.args.map(map),
      env: mapRecord(config.env),
      ...(config.cwd === undefined ? {} : { cwd: map(config.cwd) }),
      ...(config.envFile === undefined ? {} : { envFile: map(config.envFile) }),
    };
  }
  const { proxy, tls, oauth } = config;
  return {
    ...config,
    url: map(config.url),
    headers: mapRecord(config.headers),
    ...(typeof proxy === "string" ? { proxy: map(proxy) } : {}),
    ...(tls === undefined ? {} : { tls: mapRecord({ ...tls }) }),
    ...(oauth === undefined || oauth === false ? {} : { oauth: mapOauthTexts(oauth, map) }),
  };
}
