import type { TlsOptions } from "../net/networkSettings.ts";
import type { ProtocolSetting, AnyRevision } from "../protocol/model/revision.ts";
import type { ServerLogLevel } from "../protocol/model/serverLog.ts";
import type { Limits, Timeouts } from "../protocol/limits.ts";
import type { OauthConfig } from "./authorization/oauthConfig.ts";

/** Where a definition of a server came from. A workspace needs trust and approval, a user's own settings do not. */
export type ConfigSource = "user" | "workspace" | "folder" | "file";

interface CommonConfig {
  /** The key in the `servers` map: the identity of the server everywhere. */
  readonly id: string;
  readonly source: ConfigSource;
  readonly description?: string;
  readonly enabled: boolean;
  readonly autostart: boolean;
  /** Whether the server is started again when it ends unexpectedly. Undefined when the entry does not say; then it is. */
  readonly restart?: boolean;
  /** Whether chat may see the tools of this server. */
  readonly chat: boolean;
  /** Whether results are kept for as long as the server allows. */
  readonly cache: boolean;
  /** Whether the server may ask a language model. Undefined when the entry does not say; then it may not. */
  readonly sampling?: "off" | "ask";
  /** The workspace folders that the server is told of: all, or these. Undefined when the entry does not say. */
  readonly roots?: boolean | readonly string[];
  /** Whether the skills extension is used. Undefined when the entry does not say; then it is not. */
  readonly skills?: boolean;
  /** The tools to show, by exact name; undefined for all. */
  readonly tools?: readonly string[];
  readonly protocol: ProtocolSetting;
  readonly minimumProtocol: AnyRevision;
  /** What the server is asked to log; undefined asks for nothing. */
  readonly logLevel?: ServerLogLevel;
  /** Whether each call tells the server which trace it belongs to. */
  readonly trace?: boolean;
  /** Whether calls may become tasks, which go on without the connection. */
  readonly tasks?: boolean;
  readonly timeouts: Timeouts;
  readonly limits: Limits;
}

/** A process that speaks MCP on its standard input and output. Strings may hold placeholders. */
export interface StdioConfig extends CommonConfig {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Null removes an inherited variable. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly envFile?: string;
  /** Names of variables that the process inherits beside the safe set; `true` inherits everything. */
  readonly inheritEnv: readonly string[] | true;
}

/** An endpoint that speaks Streamable HTTP. Strings may hold placeholders. */
export interface HttpConfig extends CommonConfig {
  readonly type: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The address of a proxy for this server, or `false` for none; left out, editor and environment decide. */
  readonly proxy?: string | false;
  /** Each of `ca`, `cert` and `key` is the path of a file, or its content; once it is filled in, the content. */
  readonly tls?: TlsOptions;
  readonly http2?: boolean;
  /** How the server is signed in to; `false` never signs in. Undefined when the entry does not say. */
  readonly oauth?: OauthConfig | false;
}

export type ServerConfig = StdioConfig | HttpConfig;

/** A configuration whose placeholders are filled in. It holds secrets: never logged, stored or shown. */
export type ResolvedConfig = ServerConfig & {
  /** The secret values that were filled in, for redaction. */
  readonly secrets: readonly string[];
};

/** Something wrong with one entry, with the path to it within the `servers` map. */
export interface ConfigProblem {
  readonly serverId: string;
  /** Keys and indices below the entry, as in `["env", "TOKEN"]`. */
  readonly path: readonly (string | number)[];
  readonly severity: "error" | "warning";
  /** English, with arguments in braces filled from `args`; the host translates the template. */
  readonly template: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** What a `servers` map gave: one bad entry never loses another. */
export interface ParsedServers {
  readonly servers: readonly ServerConfig[];
  readonly problems: readonly ConfigProblem[];
}
