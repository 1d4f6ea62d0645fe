/** The two ways of speaking MCP: with per-request metadata, or with `initialize`. */
export type Era = "legacy" | "modern";

/** Revisions that Signalbox speaks, newest first. */
export const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;
export type Revision = (typeof REVISIONS)[number];

/** Revisions that are refused unless `minimumProtocol` allows them; they are then spoken as legacy. */
export const OLD_REVISIONS = ["2025-03-26", "2024-11-05"] as const;
export type OldRevision = (typeof OLD_REVISIONS)[number];

export type AnyRevision = Revision | OldRevision;

/** The one modern revision. */
export const MODERN_REVISION = "2026-07-28" satisfies Revision;

/** The revision that `initialize` offers. */
export const LATEST_LEGACY_REVISION = "2025-11-25" satisfies Revision;

/** What the `protocol` setting of a server may say. A named revision never falls back. */
export type ProtocolSetting = "auto" | "legacy" | Revision;

export function eraOf(revision: AnyRevision): Era {
  return revision === MODERN_REVISION ? "modern" : "legacy";
}
