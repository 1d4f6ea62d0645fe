import * as z from "zod";
import { ENGINES, PLANS, REGION_IDS } from "./catalog.ts";
import type { DatabaseRecord } from "./databaseStore.ts";

/** How long a new database takes to become ready. */
export const PROVISIONING_MS = 12_000;

const PHASES = ["allocating storage", "starting the engine", "running checks"] as const;

/** What the tools and resources tell about a database. */
export const databaseSchema = z.object({
  id: z.string(),
  name: z.string(),
  engine: z.enum(ENGINES),
  storageGb: z.number(),
  plan: z.enum(PLANS),
  region: z.enum(REGION_IDS),
  monthlyEuros: z.number(),
  status: z.enum(["provisioning", "ready"]),
  percent: z.number().min(0).max(100),
  phase: z.string(),
  createdAt: z.string(),
});
export type DatabaseView = z.infer<typeof databaseSchema>;

/** Describes a database at a moment: provisioning goes by the clock, so every replica says the same. */
export function describeDatabase(database: DatabaseRecord, now: number): DatabaseView {
  const share = Math.min(1, Math.max(0, (now - database.createdAt) / PROVISIONING_MS));
  const ready = share === 1;
  return {
    id: database.id,
    name: database.name,
    engine: database.engine,
    storageGb: database.storageGb,
    plan: database.plan,
    region: database.region,
    monthlyEuros: database.monthlyCents / 100,
    status: ready ? "ready" : "provisioning",
    percent: Math.floor(share * 100),
    phase: ready ? "ready" : (PHASES[Math.floor(share * PHASES.length)] ?? "ready"),
    createdAt: new Date(database.createdAt).toISOString(),
  };
}
