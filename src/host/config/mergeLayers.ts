import { isJsonObject } from "../../base/json.ts";
import { createProblem } from "../../client/configProblems.ts";
import { mergeServers } from "../../client/mergeServers.ts";
import type { ConfigProblem, ConfigSource, ParsedServers } from "../../client/serverConfig.ts";

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
 * Puts the layers together, the least specific first. Each name belongs to the most specific layer that has it,
 * and that layer is told when it hides another one.
 */
export function mergeLayers(
  layers: readonly ConfigLayer[],
  parse: (raw: unknown, source: ConfigSource) => ParsedServers,
): MergedConfig {
  const origins = new Map<string, ConfigLayer>();
  const scopes: ParsedServers[] = [];
  const problems: LayeredProblem[] = [];
  for (const layer of layers) {
    if (layer.raw === undefined) continue;
    const parsed = parse(layer.raw, layer.source);
    const shadowed: ConfigProblem[] = [];
    for (const id of namesIn(layer.raw)) {
      if (origins.has(id)) shadowed.push(createProblem("warning", id, [], "shadowed"));
      origins.set(id, layer);
    }
    const all = [...parsed.problems, ...shadowed];
    scopes.push({ servers: parsed.servers, problems: all });
    problems.push(...all.map((problem) => ({ layer, problem })));
  }
  return { parsed: mergeServers(scopes), problems, origins };
}

function namesIn(raw: unknown): readonly string[] {
  return isJsonObject(raw) ? Object.keys(raw) : [];
}
