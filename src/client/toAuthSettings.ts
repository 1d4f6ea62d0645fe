import type { AuthSettings, Grant } from "../auth/model/authSettings.ts";
import { OLD_REVISIONS } from "../protocol/model/revision.ts";
import type { OauthConfig } from "./authorization/oauthConfig.ts";
import { authorizationKind } from "./authorization/authorizationKind.ts";
import type { ResolvedConfig } from "./serverConfig.ts";

/** What the settings of the user say for all servers. */
export interface GlobalAuthSettings {
  /** The address of the client's own metadata document; empty or undefined means that there is none. */
  readonly clientMetadataUrl?: string | undefined;
  /** In CIDR notation. */
  readonly fakeIpRanges: readonly string[];
}

/**
 * The authorization settings of a server, all filled in; undefined for one that has none: a process, a server whose
 * own header carries the credential, or one with `oauth: false`.
 */
export function toAuthSettings(
  config: ResolvedConfig,
  { clientMetadataUrl = "", fakeIpRanges }: GlobalAuthSettings,
): AuthSettings | undefined {
  if (config.type !== "http" || authorizationKind(config) !== "session") return undefined;
  const oauth = config.oauth === undefined || config.oauth === false ? {} : config.oauth;
  const { grant, enterprise, workload, issuer, resource, tokenEndpoint, assumePkceS256, ...rest } = oauth;
  return {
    registration: "auto",
    useServerScopes: false,
    redirectHost: "127.0.0.1",
    dpop: "off",
    ...rest,
    serverName: config.id,
    endpoint: new URL(config.url),
    grant: toGrant({
      ...(grant && { grant }),
      ...(enterprise && { enterprise }),
      ...(workload && { workload }),
    }),
    ...(clientMetadataUrl.trim() !== "" && { clientMetadataUrl: clientMetadataUrl.trim() }),
    ...(OLD_REVISIONS.some((revision) => revision === config.minimumProtocol) && { guessEndpoints: true }),
    overrides: {
      ...(issuer !== undefined && { issuer }),
      ...(resource !== undefined && { resource }),
      ...(tokenEndpoint !== undefined && { tokenEndpoint }),
      assumePkceS256: assumePkceS256 === true,
      fakeIpRanges,
    },
  };
}

/** What is missing is empty: parsing refuses an entry without it. */
function toGrant({ grant = "authorization_code", enterprise, workload }: OauthConfig): Grant {
  switch (grant) {
    case "enterprise":
      return { kind: grant, idpIssuer: "", idpClientId: "", idToken: "", ...enterprise };
    case "workload":
      return { kind: grant, assertion: "", ...workload };
    default:
      return { kind: grant };
  }
}
