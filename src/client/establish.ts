import { AuthError } from "../auth/authError.ts";
import { abortable } from "../base/abortable.ts";
import type { Clock } from "../base/clock.ts";
import type { ResultCache } from "../protocol/cache/resultCache.ts";
import type { Connection } from "../protocol/connection.ts";
import { toVerdict } from "../protocol/eras/negotiateOptions.ts";
import type { ServerAuthorization } from "./authorization/serverAuthorization.ts";
import type { ConnectWish } from "./connectAttempt.ts";
import { openConnection } from "./openConnection.ts";
import { readVerdict, verdictKey } from "./rememberedVerdict.ts";
import type { ResolvedConfig, ServerConfig } from "./serverConfig.ts";
import { isDeadEnd } from "./serverProblems.ts";
import type { PoolPorts } from "./serverPool.ts";
import type { ConnectStep } from "./serverState.ts";

/** What one attempt to connect needs. */
export interface EstablishOptions {
  readonly config: ServerConfig;
  readonly wish: ConnectWish;
  readonly ports: PoolPorts;
  readonly authorization: ServerAuthorization;
  readonly cache: ResultCache | undefined;
  readonly clock: Clock;
  readonly newCallId: () => string;
  readonly signal: AbortSignal;
  readonly onStep: (step: ConnectStep) => void;
}

/**
 * Takes a server from its definition to a connection: approval, values, authorization, negotiation. Nothing is left
 * running when it fails.
 */
export async function establish(options: EstablishOptions): Promise<Connection> {
  const { wish, authorization, signal, onStep } = options;
  const resolved = await resolveApproved(options);
  const authorizer = await authorization.prepare(resolved, signal);
  if (wish.signIn !== undefined) {
    onStep("signing-in");
    await authorization.signIn(wish.signIn, signal);
  }
  const open = async (): Promise<Connection> => {
    onStep("negotiating");
    return negotiated(options, resolved, authorizer);
  };
  try {
    return await open();
  } catch (error) {
    if (!maySignIn(error, options)) throw error;
    onStep("signing-in");
    await authorization.signIn({}, signal);
    return open();
  }
}

/** Has a server approved and fills in its values. */
export async function resolveApproved({
  config,
  wish,
  ports,
  signal,
  onStep,
}: Pick<EstablishOptions, "config" | "wish" | "ports" | "signal" | "onStep">): Promise<ResolvedConfig> {
  onStep("approving");
  await abortable(ports.approve(config, signal, { interactive: wish.interactive }), signal);
  onStep("resolving");
  const mayAsk = wish.isRestart !== true;
  return abortable(ports.resolve(config, signal, { mayAsk }), signal);
}

/** Forgets how a server was negotiated. */
export function forgetVerdict(ports: PoolPorts, config: ServerConfig): void {
  ports.verdicts.set(verdictKey(config), undefined);
}

async function negotiated(
  options: EstablishOptions,
  resolved: ResolvedConfig,
  authorizer: Awaited<ReturnType<ServerAuthorization["prepare"]>>,
): Promise<Connection> {
  const { config, ports, cache, clock, newCallId, signal } = options;
  const key = verdictKey(config);
  const remembered = config.protocol === "auto" ? readVerdict(ports.verdicts.get(key)) : undefined;
  const connection = await openConnection({
    config: resolved,
    authorizer,
    cache,
    clientInfo: ports.clientInfo,
    input: ports.input,
    ...(ports.features !== undefined && { features: ports.features(config) }),
    log: ports.log(config.id),
    clock,
    network: ports.network?.(),
    signal,
    remembered,
    newCallId,
  }).catch((error: unknown) => {
    // A server that became modern may die of `initialize`, or ignore it: the next attempt probes.
    if (remembered?.era === "legacy" && isDeadEnd(error)) forgetVerdict(ports, config);
    throw error;
  });
  const { negotiation } = connection;
  const isNews = config.protocol === "auto" && negotiation.how !== "remembered";
  if (isNews && !signal.aborted && !connection.closed.aborted)
    ports.verdicts.set(key, { ...toVerdict(negotiation, clock.now()) });
  return connection;
}

/** Once in an attempt, and only with somebody there who asked for the server just now, or where nobody is needed. */
function maySignIn(error: unknown, { wish, ports, authorization }: EstablishOptions): boolean {
  if (!(error instanceof AuthError) || error.code !== "sign-in-needed") return false;
  if (!authorization.hasSession || wish.signIn !== undefined) return false;
  return (
    authorization.isUnattended || (wish.interactive && wish.isRestart !== true && ports.isAttended !== false)
  );
}
