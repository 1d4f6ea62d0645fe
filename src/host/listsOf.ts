import type { ServerEntry } from "../client/serverPool.ts";
import type { TaskEntry } from "../client/tasks/serverTasks.ts";
import type { Prompt } from "../protocol/model/prompt.ts";
import type { Resource, ResourceTemplate } from "../protocol/model/resource.ts";

/** The resources that a server lists; none while it is not connected. */
export function resourcesOf(entry: ServerEntry | undefined): readonly Resource[] {
  const list = entry?.state.kind === "connected" ? entry.state.lists.resources : undefined;
  return list?.kind === "listed" ? list.items : [];
}

/** The resource templates that a server lists. */
export function templatesOf(entry: ServerEntry | undefined): readonly ResourceTemplate[] {
  const list = entry?.state.kind === "connected" ? entry.state.lists.templates : undefined;
  return list?.kind === "listed" ? list.items : [];
}

/** The prompts that a server lists. */
export function promptsOf(entry: ServerEntry | undefined): readonly Prompt[] {
  const list = entry?.state.kind === "connected" ? entry.state.lists.prompts : undefined;
  return list?.kind === "listed" ? list.items : [];
}

/** The tasks of a server that are known, in the order in which they began. */
export function tasksOf(entry: ServerEntry | undefined): readonly TaskEntry[] {
  return entry?.state.kind === "connected" ? entry.state.tasks : [];
}

/** Whether a connected server says that it has resources, listed or not. */
export function hasResources({ state }: ServerEntry): boolean {
  return state.kind === "connected" && state.lists.resources.kind !== "absent";
}

/** Whether a connected server says that it has prompts. */
export function hasPrompts({ state }: ServerEntry): boolean {
  return state.kind === "connected" && state.lists.prompts.kind !== "absent";
}
