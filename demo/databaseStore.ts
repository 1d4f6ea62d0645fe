import { randomUUID } from "node:crypto";
import type { Engine, Order, Plan, RegionId } from "./catalog.ts";

/** One database that was created. */
export interface DatabaseRecord {
  readonly id: string;
  readonly name: string;
  readonly engine: Engine;
  readonly storageGb: number;
  readonly plan: Plan;
  readonly region: RegionId;
  readonly monthlyCents: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The right to take one step, once: the id of a state, with what the person answered to it. */
export interface Ticket {
  readonly stateId: string;
  /** Digest of the answers. The same step with other answers is another step. */
  readonly answerDigest: string;
  /** Seconds since 1970; the record of the use is kept until then. */
  readonly expiresAt: number;
}

export interface NewDatabase extends Order {
  readonly region: RegionId;
  readonly monthlyCents: number;
}

/**
 * `repeated` is the same step with the same answers once more: its effect is the one that it had.
 * `replayed` is a used state with other answers, or one that has had no effect to repeat.
 */
export type CreateOutcome =
  | { readonly kind: "created" | "repeated"; readonly database: DatabaseRecord }
  | { readonly kind: "replayed" }
  | { readonly kind: "name-taken" };

export type RemoveOutcome =
  | { readonly kind: "removed" | "repeated"; readonly database: DatabaseRecord }
  | { readonly kind: "replayed" }
  | { readonly kind: "gone" };

/** What all replicas share. Each method is one atomic step; arguments and results are plain JSON. */
export interface DatabaseStore {
  list(): Promise<readonly DatabaseRecord[]>;
  /** By id or by name. */
  find(idOrName: string): Promise<DatabaseRecord | undefined>;
  /** Uses up a state that has no effect but to go on. True when it had not been used. */
  redeem(ticket: Ticket): Promise<boolean>;
  create(ticket: Ticket, database: NewDatabase): Promise<CreateOutcome>;
  remove(ticket: Ticket, id: string): Promise<RemoveOutcome>;
}

interface Use {
  readonly answerDigest: string;
  readonly expiresAt: number;
  /** The database that the step was about; undefined when it had no effect. */
  readonly effect: DatabaseRecord | undefined;
}

/** More would be a leak: states live for minutes. */
const MAX_USES = 10_000;

/** The store in memory: the truth lives as long as the process. */
export function createMemoryStore(now: () => number = Date.now): DatabaseStore {
  const databases = new Map<string, DatabaseRecord>();
  const uses = new Map<string, Use>();

  const recordUse = (ticket: Ticket, effect: DatabaseRecord | undefined): void => {
    const seconds = now() / 1000;
    for (const [id, use] of uses) {
      // Oldest first, and all live about equally long: one that is still valid ends the sweep.
      if (use.expiresAt > seconds && uses.size < MAX_USES) break;
      uses.delete(id);
    }
    uses.set(ticket.stateId, { answerDigest: ticket.answerDigest, expiresAt: ticket.expiresAt, effect });
  };
  const findUse = (ticket: Ticket): { readonly effect: DatabaseRecord | undefined } | undefined => {
    const use = uses.get(ticket.stateId);
    if (use === undefined) return undefined;
    return { effect: use.answerDigest === ticket.answerDigest ? use.effect : undefined };
  };
  const find = (idOrName: string): DatabaseRecord | undefined =>
    databases.get(idOrName) ?? [...databases.values()].find(({ name }) => name === idOrName);

  return {
    list: () => Promise.resolve([...databases.values()]),
    find: (idOrName) => Promise.resolve(find(idOrName)),
    redeem(ticket) {
      if (uses.has(ticket.stateId)) return Promise.resolve(false);
      recordUse(ticket, undefined);
      return Promise.resolve(true);
    },
    create(ticket, { name, engine, storageGb, plan, region, monthlyCents }) {
      const use = findUse(ticket);
      if (use !== undefined) return Promise.resolve(repeat(use.effect));
      if (find(name) !== undefined) {
        recordUse(ticket, undefined);
        return Promise.resolve({ kind: "name-taken" });
      }
      const id = `db-${randomUUID().slice(0, 8)}`;
      const database = { id, name, engine, storageGb, plan, region, monthlyCents, createdAt: now() };
      databases.set(id, database);
      recordUse(ticket, database);
      return Promise.resolve({ kind: "created", database });
    },
    remove(ticket, id) {
      const use = findUse(ticket);
      if (use !== undefined) return Promise.resolve(repeat(use.effect));
      const database = databases.get(id);
      recordUse(ticket, database);
      if (database === undefined) return Promise.resolve({ kind: "gone" });
      databases.delete(id);
      return Promise.resolve({ kind: "removed", database });
    },
  };
}

function repeat(
  effect: DatabaseRecord | undefined,
): { readonly kind: "repeated"; readonly database: DatabaseRecord } | { readonly kind: "replayed" } {
  return effect === undefined ? { kind: "replayed" } : { kind: "repeated", database: effect };
}
