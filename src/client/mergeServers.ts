import type { ConfigProblem, ParsedServers, ServerConfig } from "./serverConfig.ts";

/**
 * Puts the maps of several scopes together, the weakest first: user, workspace, folder.
 * A later scope replaces an entry of the same name whole, also with a broken one: what runs must not
 * be something else than what the nearest settings say.
 */
export function mergeServers(scopes: readonly ParsedServers[]): ParsedServers {
  const merged = new Map<
    string,
    { readonly config: ServerConfig | undefined; readonly problems: readonly ConfigProblem[] }
  >();
  const general: ConfigProblem[] = [];
  for (const { servers, problems } of scopes) {
    const isGeneral = (problem: ConfigProblem): boolean =>
      problem.serverId === "" && problem.path.length === 0;
    general.push(...problems.filter(isGeneral));
    const own = problems.filter((problem) => !isGeneral(problem));
    for (const id of new Set([
      ...servers.map((server) => server.id),
      ...own.map((problem) => problem.serverId),
    ])) {
      merged.set(id, {
        config: servers.find((server) => server.id === id),
        problems: own.filter((problem) => problem.serverId === id),
      });
    }
  }
  const entries = [...merged.values()];
  return {
    servers: entries.flatMap(({ config }) => (config === undefined ? [] : [config])),
    problems: [...general, ...entries.flatMap(({ problems }) => problems)],
  };
}
