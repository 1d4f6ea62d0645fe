import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { type NetworkSettings, NO_EDITOR, type RouteOptions } from "../net/networkSettings.ts";
import type { RequestAuthorizer } from "../net/requestAuthorizer.ts";
import { buildEnvironment } from "../protocol/transports/stdio/environment.ts";
import { createStdioTransport } from "../protocol/transports/stdio/stdioTransport.ts";
import type { Transport } from "../protocol/transports/transport.ts";
import type { HttpConfig, ResolvedConfig } from "./serverConfig.ts";

/**
 * Makes the transport that a filled-in configuration asks for. Nothing is started or sent yet; who has only local
 * processes does not load what HTTP needs.
 */
export async function createTransport(
  config: ResolvedConfig,
  context: {
    readonly log: Log;
    readonly clock: Clock;
    readonly network?: NetworkSettings | undefined;
    readonly authorizer?: RequestAuthorizer | undefined;
  },
): Promise<Transport> {
  const { log, clock, authorizer, network = { editor: NO_EDITOR, environment: process.env } } = context;
  const common = { serverName: config.id, limits: config.limits, log, clock };
  if (config.type === "http") {
    const { url, headers } = config;
    const { createHttpTransport } = await import("../protocol/transports/http/httpTransport.ts");
    return createHttpTransport({ ...common, url, headers, route: routeOf(config), network, authorizer });
  }
  return createStdioTransport({
    ...common,
    command: config.command,
    args: config.args,
    cwd: config.cwd,
    env: buildEnvironment(process.env, config),
  });
}

/** How an endpoint is reached, as its definition says. */
export function routeOf({ proxy, tls, http2 }: HttpConfig): RouteOptions {
  return {
    ...(proxy === undefined ? {} : { proxy }),
    ...(tls === undefined ? {} : { tls }),
    ...(http2 === undefined ? {} : { http2 }),
  };
}
