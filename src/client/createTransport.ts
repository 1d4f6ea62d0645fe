import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { createHttpTransport } from "../protocol/transports/http/httpTransport.ts";
import { buildEnvironment } from "../protocol/transports/stdio/environment.ts";
import { createStdioTransport } from "../protocol/transports/stdio/stdioTransport.ts";
import type { Transport } from "../protocol/transports/transport.ts";
import type { ResolvedConfig } from "./serverConfig.ts";

/** Makes the transport that a filled-in configuration asks for. Nothing is started or sent yet. */
export function createTransport(
  config: ResolvedConfig,
  context: { readonly log: Log; readonly clock: Clock },
): Transport {
  const common = { serverName: config.id, limits: config.limits, ...context };
  if (config.type === "http")
    return createHttpTransport({ ...common, url: config.url, headers: config.headers });
  return createStdioTransport({
    ...common,
    command: config.command,
    args: config.args,
    cwd: config.cwd,
    env: buildEnvironment(process.env, config),
  });
}
