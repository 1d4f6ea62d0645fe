import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject, type JsonValue } from "../base/json.ts";
import type { RememberedVerdict } from "../protocol/eras/negotiateOptions.ts";
import { OLD_REVISIONS, REVISIONS } from "../protocol/model/revision.ts";
import type { ServerConfig } from "./serverConfig.ts";

/**
 * The key under which a server's era is remembered: a digest of what decides which server it is,
 * as it is written in the settings, so that no secret goes in.
 */
export function verdictKey(config: ServerConfig): string {
  const identity: JsonValue =
    config.type === "http"
      ? { url: config.url }
      : {
          command: config.command,
          args: [...config.args],
          cwd: config.cwd ?? "",
          env: Object.keys(config.env).sort(),
        };
  return createHash("sha256").update(canonicalJson(identity)).digest("base64url");
}

/** Reads what was remembered; anything odd counts as nothing. */
export function readVerdict(value: JsonObject | undefined): RememberedVerdict | undefined {
  const { era, revision, atMs } = value ?? {};
  const known = [...REVISIONS, ...OLD_REVISIONS].find((item) => item === revision);
  if ((era !== "legacy" && era !== "modern") || known === undefined || typeof atMs !== "number")
    return undefined;
  return { era, revision: known, atMs };
}
