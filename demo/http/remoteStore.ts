import type { DatabaseStore } from "../databaseStore.ts";
import type { StoreMethod, ToReplica } from "./replicaMessages.ts";

/** The parent's store as a replica sees it. */
export interface RemoteStore extends DatabaseStore {
  /** Takes what the parent answered. */
  settle(message: Extract<ToReplica, { readonly kind: "returned" | "failed" }>): void;
}

/** Longer than any step in memory takes: past this the parent is not there any more. */
const CALL_LIMIT_MS = 10_000;

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** @param send Sends one call to the parent. */
export function createRemoteStore(
  send: (id: number, method: StoreMethod, args: readonly unknown[]) => void,
): RemoteStore {
  const pending = new Map<number, PendingCall>();
  let lastId = 0;
  const call = <M extends StoreMethod>(
    method: M,
    args: Parameters<DatabaseStore[M]>,
  ): ReturnType<DatabaseStore[M]> => {
    lastId += 1;
    const id = lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(new Error("The shared store did not answer."));
      }, CALL_LIMIT_MS);
      pending.set(id, { resolve, reject, timer });
      send(id, method, args);
    });
    // The other end is the same program: what the method promises is what was sent.
    return answer as ReturnType<DatabaseStore[M]>;
  };
  return {
    list: () => call("list", []),
    find: (idOrName) => call("find", [idOrName]),
    redeem: (ticket) => call("redeem", [ticket]),
    create: (ticket, database) => call("create", [ticket, database]),
    remove: (ticket, id) => call("remove", [ticket, id]),
    settle(message) {
      const waiting = pending.get(message.id);
      if (waiting === undefined) return;
      pending.delete(message.id);
      clearTimeout(waiting.timer);
      if (message.kind === "returned") waiting.resolve(message.value);
      else waiting.reject(new Error(message.reason));
    },
  };
}
