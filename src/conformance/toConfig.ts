import type { HttpConfig, ResolvedConfig } from "../client/serverConfig.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../protocol/limits.ts";
import type { AnyRevision, ProtocolSetting } from "../protocol/model/revision.ts";
import { REVISIONS } from "../protocol/model/revision.ts";

/** The revision of the run is negotiated, not pinned; a legacy run starts with that legacy revision. */
export function toConfig(url: string, revision: string): HttpConfig & ResolvedConfig {
  const known = REVISIONS.find((item) => item === revision);
  const protocol: ProtocolSetting = known === undefined ? "legacy" : known === "2026-07-28" ? "auto" : known;
  const minimumProtocol: AnyRevision = known ?? "2025-03-26";
  return {
    id: "conformance",
    source: "file",
    enabled: true,
    autostart: false,
    chat: false,
    cache: false,
    skills: true,
    protocol,
    minimumProtocol,
    timeouts: DEFAULT_TIMEOUTS,
    limits: DEFAULT_LIMITS,
    type: "http",
    url,
    headers: {},
    secrets: [],
  };
}
