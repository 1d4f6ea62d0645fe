import { SKILLS_EXTENSION } from "../protocol/skills/skillsExtension.ts";
import type { ServerConfig } from "./serverConfig.ts";

/** The extensions of authorization that have a name, by the grant that is one of them. */
const GRANTS: ReadonlyMap<string | undefined, string> = new Map([
  ["client_credentials", "io.modelcontextprotocol/oauth-client-credentials"],
  ["enterprise", "io.modelcontextprotocol/enterprise-managed-authorization"],
]);

/** The extensions that are declared to a server from the first request on: those that its settings switch on. */
export function declaredExtensions(config: ServerConfig): readonly string[] {
  const oauth = config.type === "http" && config.oauth !== false ? config.oauth : undefined;
  const grant = GRANTS.get(oauth?.grant);
  return [...(config.skills === true ? [SKILLS_EXTENSION] : []), ...(grant === undefined ? [] : [grant])];
}
