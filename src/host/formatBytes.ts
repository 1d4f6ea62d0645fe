import type { Translate } from "../shared/translate.ts";

const KIB = 1_024;

/** A size in bytes, short: “812 bytes”, “3.2 KiB”. */
export function formatBytes(bytes: number, t: Translate): string {
  if (bytes < KIB) return t("{count} bytes", { count: bytes });
  if (bytes < KIB * KIB) return t("{count} KiB", { count: (bytes / KIB).toFixed(1) });
  return t("{count} MiB", { count: (bytes / KIB / KIB).toFixed(1) });
}
