import * as z from "zod";
import type { StateKey } from "../requestState.ts";

/** What the parent tells a replica. */
export type ToReplica =
  /** First of all: what it needs to be one of several. */
  | { readonly kind: "start"; readonly ring: readonly StateKey[] }
  /** No value stands for undefined, which JSON does not know. */
  | { readonly kind: "returned"; readonly id: number; readonly value?: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly reason: string }
  /** The set of databases changed, by whichever replica. */
  | { readonly kind: "changed" };

/** What a replica tells the parent. */
export type FromReplica =
  | { readonly kind: "listening"; readonly port: number }
  | {
      readonly kind: "call";
      readonly id: number;
      readonly method: StoreMethod;
      readonly args: readonly unknown[];
    }
  | { readonly kind: "changed" };

/** The methods of the shared store that a replica may call. */
export const STORE_METHODS = ["list", "find", "redeem", "create", "remove"] as const;
export type StoreMethod = (typeof STORE_METHODS)[number];

const stateKeySchema = z.object({ kid: z.string(), secret: z.string() });

const toReplicaSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start"), ring: z.array(stateKeySchema) }),
  z.object({ kind: z.literal("returned"), id: z.number(), value: z.unknown().optional() }),
  z.object({ kind: z.literal("failed"), id: z.number(), reason: z.string() }),
  z.object({ kind: z.literal("changed") }),
]);

const fromReplicaSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("listening"), port: z.number().int() }),
  z.object({
    kind: z.literal("call"),
    id: z.number(),
    method: z.enum(STORE_METHODS),
    args: z.array(z.unknown()),
  }),
  z.object({ kind: z.literal("changed") }),
]);

/** Undefined for anything that is not one of these messages. */
export function readToReplica(value: unknown): ToReplica | undefined {
  return toReplicaSchema.safeParse(value).data;
}

/** Undefined for anything that is not one of these messages. */
export function readFromReplica(value: unknown): FromReplica | undefined {
  return fromReplicaSchema.safeParse(value).data;
}
