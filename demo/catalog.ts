/** Where a database can live. */
export const REGIONS = [
  { id: "eu-central", title: "Frankfurt (eu-central)", factor: 1 },
  { id: "eu-north", title: "Stockholm (eu-north)", factor: 0.92 },
  { id: "us-east", title: "Virginia (us-east)", factor: 0.96 },
  { id: "ap-southeast", title: "Singapore (ap-southeast)", factor: 1.15 },
] as const;

export const REGION_IDS = ["eu-central", "eu-north", "us-east", "ap-southeast"] as const;
export type RegionId = (typeof REGION_IDS)[number];
export const DEFAULT_REGION = "eu-central" satisfies RegionId;

export const ENGINES = ["postgres", "mysql", "redis"] as const;
export type Engine = (typeof ENGINES)[number];

export const PLANS = ["starter", "standard", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

/** What is ordered, apart from the region. */
export interface Order {
  readonly name: string;
  readonly engine: Engine;
  readonly storageGb: number;
  readonly plan: Plan;
}

const BASE_CENTS: Readonly<Record<Plan, number>> = { starter: 900, standard: 3_900, enterprise: 24_900 };
const CENTS_PER_GB: Readonly<Record<Engine, number>> = { postgres: 12, mysql: 11, redis: 85 };

/** The monthly price in whole euro cents. */
export function quoteCents(order: Order, region: RegionId): number {
  const factor = REGIONS.find(({ id }) => id === region)?.factor ?? 1;
  return Math.round((BASE_CENTS[order.plan] + order.storageGb * CENTS_PER_GB[order.engine]) * factor);
}

/** “41.40 EUR”. */
export function formatCents(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}

/** The region's name for people. */
export function regionTitle(region: RegionId): string {
  return REGIONS.find(({ id }) => id === region)?.title ?? region;
}

export function isRegionId(value: unknown): value is RegionId {
  return REGION_IDS.some((id) => id === value);
}
