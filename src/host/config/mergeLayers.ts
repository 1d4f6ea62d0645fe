import { isJsonObject } from "../../base/json.ts";
import type { ConfigProblem, ConfigSource, ParsedServers, ServerConfig } from "../../client/serverConfig.ts";

/** One place that may define servers: the user's settings, the workspace's, or those of one folder. */
export interface ConfigLayer {
  readonly source: Exclude<ConfigSource, "file">;
  /** The folder whose settings these are, and whose path `${workspaceFolder}` means; as a URI. */
  readonly folder?: string;
  /** The value of `signalbox.servers` in this place, as it was written. */
  readonly raw: unknown;
}

/** A problem with the place that it is in. */
export interface LayeredProblem {
  readonly layer: ConfigLayer;
  readonly problem: ConfigProblem;
}

/** All layers together, the more specific one winning name by name. */
export interface MergedConfig {
  readonly parsed: ParsedServers;
  readonly problems: readonly LayeredProblem[];
  /** Where each name is defined, the winning place only. */
  readonly origins: ReadonlyMap<string, ConfigLayer>;
}

/**
 * Puts the layers together, the least specific first. Whole entries replace each other: a half of one place and a
 * half of another would be a command that nobody wrote. A broken entry replaces too, and its problems say why
 * there is no such server.
 */
export function mergeLayers(
  layers: readonly ConfigLayer[],
  parse: (raw: unknown, source: ConfigSource) => ParsedServers,
): MergedConfig {
  const servers = new Map<string, ServerConfig>();
  const origins = new Map<string, ConfigLayer>();
  const problems: LayeredProblem[] = [];
  for (const layer of layers) {
    if (layer.raw === undefined) continue;
    const parsed = parse(layer.raw, layer.source);
    const byId = new Map(parsed.servers.map((config) => [config.id, config]));
    for (const id of namesIn(layer.raw)) {
      const hidden = origins.get(id);
      if (hidden !== undefined) problems.push({ layer, problem: shadowing(id, hidden.source, layer.source) });
      origins.set(id, layer);
      const config = byId.get(id);
      // Deleting first keeps the order of the winning place.
      servers.delete(id);
      if (config !== undefined) servers.set(id, config);
    }
    problems.push(...parsed.problems.map((problem) => ({ layer, problem })));
  }
  // What is wrong with an entry that lost no longer matters for its server, though its place still shows it.
  const effective = problems.filter(({ layer, problem }) => (origins.get(problem.serverId) ?? layer) === layer);
  return {
    parsed: { servers: [...servers.values()], problems: effective.map(({ problem }) => problem) },
    problems,
    origins,
  };
}

function namesIn(raw: unknown): readonly string[] {
  return isJsonObject(raw) ? Object.keys(raw) : [];
}

function shadowing(serverId: string, loser: ConfigSource, winner: ConfigSource): ConfigProblem {
  return {
    serverId,
    path: [],
    severity: "warning",
    template: "“{server}” is defined in the {loser} settings too. The definition in the {winner} settings is used.",
    args: { server: serverId, loser, winner },
  };
}
