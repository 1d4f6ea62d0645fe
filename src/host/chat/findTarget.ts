import type { ServerEntry } from "../../client/serverPool.ts";
import { hasResources, promptsOf } from "../listsOf.ts";
import { type ChatPrompt, type ChatResource, type ChatSkill, visibleServers } from "./chatTargets.ts";
import { skillsOf } from "../skills/skillsOf.ts";
import { nearNames } from "./toolSearch.ts";

/** What was meant, or an error that helps a model to correct itself. */
export type Found<T> =
  { readonly kind: "found"; readonly target: T } | { readonly kind: "unknown"; readonly hint: string };

const LOOK = "Use signalbox_list_resources to see what there is.";

/** A resource of a server that chat may see. It need not be in a list, so only the server is looked for. */
export function findResource(
  servers: readonly ServerEntry[],
  serverId: string,
  uri: string,
): Found<ChatResource> {
  const found = findServer(servers, serverId);
  if (found.kind === "unknown") return found;
  const entry = found.target;
  if (uri === "") return { kind: "unknown", hint: `The URI is empty. Nothing was read. ${LOOK}` };
  return hasResources(entry)
    ? { kind: "found", target: { entry, serverId, uri } }
    : { kind: "unknown", hint: `The MCP server ${JSON.stringify(serverId)} has no resources.` };
}

/** A prompt of a server that chat may see, by its exact name. */
export function findPrompt(
  servers: readonly ServerEntry[],
  serverId: string,
  name: string,
): Found<ChatPrompt> {
  const found = findServer(servers, serverId);
  if (found.kind === "unknown") return found;
  const entry = found.target;
  const prompts = promptsOf(entry);
  const prompt = prompts.find((one) => one.name === name);
  if (prompt !== undefined) return { kind: "found", target: { entry, serverId, prompt } };
  const near = nearNames(
    name,
    prompts.map((one) => one.name),
  );
  const hint = `The MCP server ${JSON.stringify(serverId)} has no prompt ${JSON.stringify(name)}.${suggest(near)} ${LOOK}`;
  return { kind: "unknown", hint };
}

/** A listed skill of a server that chat may see, by its URI, or by its name where no other skill has it. */
export function findSkill(
  servers: readonly ServerEntry[],
  serverId: string,
  name: string,
  file: string | undefined,
): Found<ChatSkill> {
  const found = findServer(servers, serverId);
  if (found.kind === "unknown") return found;
  const entry = found.target;
  const skills = skillsOf(entry).map(({ skill }) => skill);
  const named = skills.filter((skill) => skill.name === name);
  const skill = skills.find(({ uri }) => uri === name) ?? (named.length === 1 ? named[0] : undefined);
  if (skill !== undefined) return { kind: "found", target: { entry, serverId, skill, file } };
  if (named.length > 1) {
    const uris = named.map(({ uri }) => JSON.stringify(uri)).join(", ");
    return {
      kind: "unknown",
      hint: `More than one skill has the name ${JSON.stringify(name)}. Give the URI: ${uris}.`,
    };
  }
  const near = nearNames(
    name,
    skills.map((each) => each.name),
  );
  const hint = `The MCP server ${JSON.stringify(serverId)} lists no skill ${JSON.stringify(name)}.${suggest(near)} ${LOOK}`;
  return { kind: "unknown", hint };
}

function findServer(servers: readonly ServerEntry[], serverId: string): Found<ServerEntry> {
  const visible = visibleServers(servers);
  const entry = visible.find((one) => one.id === serverId);
  if (entry === undefined) {
    const near = nearNames(
      serverId,
      visible.map((one) => one.id),
    );
    const hint = `There is no MCP server ${JSON.stringify(serverId)} for chat.${suggest(near)} ${LOOK}`;
    return { kind: "unknown", hint };
  }
  if (entry.state.kind === "connected") return { kind: "found", target: entry };
  const hint = `The MCP server ${JSON.stringify(serverId)} is not connected. Only the user can connect it, in the Signalbox view.`;
  return { kind: "unknown", hint };
}

function suggest(near: readonly string[]): string {
  return near.length === 0 ? "" : ` Near names: ${near.map((name) => JSON.stringify(name)).join(", ")}.`;
}
