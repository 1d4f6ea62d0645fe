import assert from "node:assert/strict";

import { NetError, type NetErrorCode } from "../../src/net/netError.ts";
import {
  type EditorNetworkSettings,
  type NetworkSettings,
  NO_EDITOR,
  type RouteOptions,
} from "../../src/net/networkSettings.ts";
import { DEFAULT_LIMITS } from "../../src/protocol/limits.ts";
import { createHttpTransport } from "../../src/protocol/transports/http/httpTransport.ts";
import type { HttpTransport } from "../../src/protocol/transports/transport.ts";
import { CollectingListener, CollectingLog } from "./collectingListener.ts";
import { never, request, resultOf } from "./transportHelpers.ts";

/** What surrounds a connection: the editor's settings without the system's store, which differs between machines. */
export function surroundings(
  environment: NetworkSettings["environment"] = {},
  editor: Partial<EditorNetworkSettings> = {},
): NetworkSettings {
  return { editor: { ...NO_EDITOR, systemCertificates: false, ...editor }, environment };
}

/** A started transport to one address. */
export async function openTransport(
  url: string,
  route: RouteOptions = {},
  network: NetworkSettings = surroundings(),
): Promise<{ transport: HttpTransport; listener: CollectingListener; log: CollectingLog }> {
  const listener = new CollectingListener();
  const log = new CollectingLog();
  const transport = createHttpTransport({
    serverName: "demo",
    url,
    headers: {},
    route,
    network,
    limits: DEFAULT_LIMITS,
    log,
  });
  try {
    await transport.start(listener);
  } catch (error) {
    await transport.close();
    throw error;
  }
  return { transport, listener, log };
}

/** The result of one request to an address. */
export async function callOnce(
  url: string,
  route?: RouteOptions,
  network?: NetworkSettings,
): Promise<unknown> {
  const { transport } = await openTransport(url, route, network);
  try {
    return resultOf(await transport.exchange(request(), { signal: never }));
  } finally {
    await transport.close();
  }
}

/** The error of one request that cannot be sent; it must name the server, and say that nothing was sent. */
export async function failToSend(
  url: string,
  code: NetErrorCode,
  route?: RouteOptions,
  network?: NetworkSettings,
): Promise<NetError> {
  try {
    await callOnce(url, route, network);
  } catch (error) {
    assert.ok(error instanceof NetError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(`${error.message} ${error.remedy ?? ""}`, /“demo”/);
    assert.notEqual(error.remedy, undefined);
    assert.equal(error.mayHaveRun, false);
    return error;
  }
  throw new Error("It was sent");
}
