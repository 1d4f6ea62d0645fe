import type { ServerPool } from "../../client/serverPool.ts";

/**
 * Waits while a server is being connected, however that ends. Unlike `connect` it asks for nothing: whoever only waits
 * must not make a person approve a server, or sign in to it.
 */
export function untilSettled(pool: Pick<ServerPool, "get" | "onDidChange">, serverId: string): Promise<void> {
  const isConnecting = (): boolean => pool.get(serverId)?.state.kind === "connecting";
  if (!isConnecting()) return Promise.resolve();
  return new Promise((resolve) => {
    const watching = pool.onDidChange(() => {
      if (isConnecting()) return;
      watching.dispose();
      resolve();
    });
  });
}
