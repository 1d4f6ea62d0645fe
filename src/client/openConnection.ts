import { CallScope } from "../base/callScope.ts";
import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import type { Log } from "../base/log.ts";
import type { NetworkSettings } from "../net/networkSettings.ts";
import type { RequestAuthorizer } from "../net/requestAuthorizer.ts";
import type { ResultCache } from "../protocol/cache/resultCache.ts";
import { Channel } from "../protocol/channel.ts";
import { Connection } from "../protocol/connection.ts";
import { EngineError } from "../protocol/engineError.ts";
import { negotiate } from "../protocol/eras/negotiate.ts";
import type { RememberedVerdict } from "../protocol/eras/negotiateOptions.ts";
import type { Implementation } from "../protocol/model/server.ts";
import { type ClientFeatures, NO_FEATURES } from "../protocol/mrtr/clientFeatures.ts";
import { FeatureUse } from "../protocol/mrtr/featureUse.ts";
import { InputAsker, offeredModes } from "../protocol/mrtr/inputAsker.ts";
import type { InputHandler } from "../protocol/mrtr/inputRequired.ts";
import type { Transport } from "../protocol/transports/transport.ts";
import { createTransport } from "./createTransport.ts";
import { declaredExtensions } from "./declaredExtensions.ts";
import type { ResolvedConfig } from "./serverConfig.ts";
import { withErrorOutput } from "./withErrorOutput.ts";

export interface OpenConnectionOptions {
  readonly config: ResolvedConfig;
  /** Authorizes the requests to an HTTP endpoint. */
  readonly authorizer?: RequestAuthorizer | undefined;
  /** Results that may be kept; undefined keeps none. */
  readonly cache?: ResultCache | undefined;
  readonly clientInfo: Implementation;
  readonly input: InputHandler | null;
  /** What the server may use beside asking for input; nothing when left out. */
  readonly features?: ClientFeatures;
  readonly log: Log;
  readonly clock: Clock;
  readonly network?: NetworkSettings | undefined;
  readonly signal: AbortSignal;
  readonly remembered: RememberedVerdict | undefined;
  readonly newCallId: () => string;
}

/** Starts a server and negotiates with it, within the connect limit. Nothing is left running when it fails. */
export async function openConnection(options: OpenConnectionOptions): Promise<Connection> {
  const { config, clock, log, input } = options;
  const { limits, timeouts } = config;
  const use = new FeatureUse({
    features: options.features ?? NO_FEATURES,
    serverName: config.id,
    clock,
    log,
  });
  const common = { serverName: config.id, limits, timeouts, clock, log, use };
  const scope = new CallScope({
    clock,
    signals: [options.signal],
    maximumMs: timeouts.connectMs,
    timeoutError: (ms) =>
      new EngineError("timeout", { server: config.id, method: "the connection", seconds: ms / 1000 }),
  });
  let transport: Transport | undefined;
  try {
    const negotiated = await negotiate({
      ...common,
      transport: config.type,
      protocol: config.protocol,
      minimumProtocol: config.minimumProtocol,
      clientInfo: options.clientInfo,
      extensions: declaredExtensions(config),
      modes: offeredModes(input, use),
      remembered: options.remembered,
      signal: scope.signal,
      unrelatedAsker: input === null ? undefined : () => unrelatedAsker(input, use, options),
      openChannel: async () => {
        transport = await createTransport(config, {
          log,
          clock,
          network: options.network,
          authorizer: options.authorizer,
        });
        const channel = new Channel(transport, common);
        try {
          await channel.start();
        } catch (error) {
          channel.dispose();
          throw error;
        }
        return channel;
      },
    });
    return new Connection(negotiated, { ...common, cache: options.cache });
  } catch (error) {
    throw withErrorOutput(error, transport);
  } finally {
    scope.dispose();
  }
}

/** Asks for a legacy server that does not say which call it asks for. */
function unrelatedAsker(
  handler: InputHandler,
  use: FeatureUse,
  options: OpenConnectionOptions,
): InputAsker & Disposable {
  const { config, clock } = options;
  const scope = new CallScope({
    clock,
    maximumMs: config.timeouts.maximumMs,
    timeoutError: (ms) =>
      new EngineError("timeout", { server: config.id, method: "elicitation/create", seconds: ms / 1000 }),
  });
  const asker = new InputAsker({
    handler,
    use,
    scope,
    callId: options.newCallId(),
    serverName: config.id,
    method: "elicitation/create",
    target: undefined,
    maxRounds: config.limits.inputRounds,
  });
  return Object.assign(asker, {
    dispose: () => {
      scope.dispose();
    },
  });
}
