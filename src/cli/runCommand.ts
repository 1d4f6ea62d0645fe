import { AuthError } from "../auth/authError.ts";
import { CodedError, errorText } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { Redactor } from "../base/redact.ts";
import { ClientError } from "../client/clientError.ts";
import { createServerPool } from "../client/createServerPool.ts";
import { type PlaceholderPorts, resolveConfig } from "../client/resolveConfig.ts";
import type { ServerConfig } from "../client/serverConfig.ts";
import type { CallOptions, ServerPool } from "../client/serverPool.ts";
import type { Implementation } from "../protocol/model/server.ts";
import { RpcError } from "../protocol/rpcError.ts";
import { createCliAuthorize } from "./createCliAuthorize.ts";
import { carryOut, type Connected, connectedState } from "./carryOut.ts";
import type { RunInvocation } from "./parseArguments.ts";
import type { ConnectionReport, ErrorReport, Report } from "./report.ts";
import { type JsonObject, stringifyJson } from "../base/json.ts";
import { createScriptedInput } from "./scriptedInput.ts";

/** What a command needs from the process around it. */
export interface CommandSurroundings {
  readonly placeholders: PlaceholderPorts;
  readonly clientInfo: Implementation;
  /** Takes lines that are free of secrets; undefined without `--verbose`. */
  readonly log: ((line: string) => void) | undefined;
  readonly signal: AbortSignal;
}

/** Connects to one server, does what was asked, and ends the connection with its processes before it resolves. Never rejects. */
export async function runCommand(
  invocation: RunInvocation,
  config: ServerConfig,
  args: JsonObject,
  surroundings: CommandSurroundings,
): Promise<Report> {
  const redactor = new Redactor();
  const pool = openPool(invocation, redactor, surroundings);
  const base = { command: invocation.command, server: config.id } as const;
  let connected: Connected | undefined;
  try {
    pool.configure({ servers: [withOptions(config, invocation)], problems: [] });
    await pool.connect(config.id, surroundings.signal);
    connected = connectedState(pool, config.id);
    const { connection, warnings } = describeConnected(connected);
    const options: CallOptions = {
      origin: "cli",
      signal: surroundings.signal,
      ...(invocation.timeoutMs === undefined ? {} : { timeoutMs: invocation.timeoutMs }),
      onTask: ({ task: { status, statusMessage } }) =>
        surroundings.log?.(redactor.redact(`task ${status} ${statusMessage ?? ""}`)),
      onProgress: ({ progress, total, message }) =>
        surroundings.log?.(
          redactor.redact(`progress ${String(progress)}/${String(total ?? "?")} ${message ?? ""}`),
        ),
    };
    const own = await carryOut({ pool, invocation, args, options });
    const ok = own.result?.isError !== true;
    return { ...base, ...own, ok, connection, warnings: [...warnings, ...(own.warnings ?? [])], error: null };
  } catch (error) {
    const known = connected === undefined ? { connection: null, warnings: [] } : describeConnected(connected);
    return { ...base, ok: false, ...known, error: describeError(error, redactor) };
  } finally {
    await pool.close();
    pool.dispose();
  }
}

function openPool(
  invocation: RunInvocation,
  redactor: Redactor,
  surroundings: CommandSurroundings,
): ServerPool {
  const log: Log = {
    write: (level, text) => surroundings.log?.(`${level} ${redactor.redact(text)}`),
  };
  return createServerPool({
    clientInfo: surroundings.clientInfo,
    log: () => log,
    resolve: async (config, signal) => {
      const resolved = await resolveConfig(config, surroundings.placeholders, signal);
      for (const secret of resolved.secrets) redactor.add(secret);
      return resolved;
    },
    authorize: createCliAuthorize(log, (value) => {
      redactor.add(value);
    }),
    isAttended: false,
    // Whoever names the file on the command line has approved what it holds.
    approve: () => Promise.resolve(),
    input: invocation.answers === undefined ? null : createScriptedInput(invocation.answers),
    verdicts: { get: () => undefined, set: () => undefined },
  });
}

/** The definition with what the command line says in its place. Whoever asks for skills has switched them on. */
function withOptions(definition: ServerConfig, { timeoutMs, tasks, command }: RunInvocation): ServerConfig {
  const isAboutSkills = command === "skills" || command === "skill";
  const config: ServerConfig = {
    ...definition,
    ...(tasks && { tasks }),
    ...(isAboutSkills && { skills: true }),
  };
  if (timeoutMs === undefined) return config;
  const { timeouts } = config;
  return {
    ...config,
    timeouts: {
      probeMs: Math.min(timeouts.probeMs, timeoutMs),
      hedgeMs: Math.min(timeouts.hedgeMs, timeoutMs),
      connectMs: timeoutMs,
      requestMs: timeoutMs,
      maximumMs: Math.max(timeouts.maximumMs, timeoutMs),
    },
  };
}

function describeConnected({ negotiation, catalog }: Connected): {
  readonly connection: ConnectionReport;
  readonly warnings: readonly string[];
} {
  const { era, revision, how, reason, roundTrips, server, capabilities } = negotiation;
  const serverInfo = server === undefined ? null : { ...server };
  return {
    connection: {
      era,
      revision,
      how,
      reason,
      roundTrips,
      serverInfo,
      capabilities,
      toolCount: catalog.tools.length,
    },
    warnings: catalog.warnings,
  };
}

function describeError(error: unknown, redactor: Redactor): ErrorReport {
  const message = redactor.redact(errorText(error));
  if (error instanceof RpcError) {
    const detail = error.data === undefined ? null : redactor.redact(stringifyJson(error.data, 2));
    return {
      source: "server",
      code: error.rpcCode,
      message: `The server answered ${error.method} with error ${String(error.rpcCode)}: ${message}`,
      remedy: null,
      detail,
    };
  }
  if (error instanceof CodedError) {
    const isSignInNeeded = error instanceof AuthError && error.code === "sign-in-needed";
    const isOfDefinition = error instanceof AuthError && error.code === "bad-settings";
    const source = error instanceof ClientError || isOfDefinition ? "client" : "engine";
    const detail = error.detail === undefined ? null : redactor.redact(error.detail);
    const remedy = isSignInNeeded ? NO_SIGN_IN : (error.remedy ?? null);
    return { source, code: String(error.code), message, remedy, detail };
  }
  return { source: "client", code: "unexpected", message, remedy: null, detail: null };
}

const NO_SIGN_IN =
  "The command line signs nobody in. Send a token with an “Authorization” header that holds ${secret:NAME}, or set “oauth.grant” to a way that needs no person.";
