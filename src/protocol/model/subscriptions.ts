import { stringifyJson } from "../../base/json.ts";
import type { ListName } from "./listing.ts";

/** What a client can be told about: changes of lists, of single resources, and of tasks. */
export interface SubscriptionFilter {
  readonly lists: readonly ListName[];
  /** URIs of resources. */
  readonly resources: readonly string[];
  /** Ids of tasks. */
  readonly tasks: readonly string[];
}

/** What the server was asked to tell about, and what of it is in force; the rest has to be read again when needed. */
export interface SubscriptionState {
  readonly asked: SubscriptionFilter;
  readonly honoured: SubscriptionFilter;
}

export const NO_FILTER: SubscriptionFilter = { lists: [], resources: [], tasks: [] };
export const NO_SUBSCRIPTIONS: SubscriptionState = { asked: NO_FILTER, honoured: NO_FILTER };

/** What was asked for and is not in force. */
export function unhonoured({ asked, honoured }: SubscriptionState): SubscriptionFilter {
  const without = <T>(all: readonly T[], some: readonly T[]): T[] =>
    all.filter((item) => !some.includes(item));
  return {
    lists: without(asked.lists, honoured.lists),
    resources: without(asked.resources, honoured.resources),
    tasks: without(asked.tasks, honoured.tasks),
  };
}

export function isEmptyFilter({ lists, resources, tasks }: SubscriptionFilter): boolean {
  return lists.length + resources.length + tasks.length === 0;
}

export function isSameFilter(a: SubscriptionFilter, b: SubscriptionFilter): boolean {
  return stringifyJson(a) === stringifyJson(b);
}

/** True when a notice about one resource concerns another: a server may name what lies below a watched one. */
export function concernsResource(updated: string, watched: string): boolean {
  if (updated === watched) return true;
  const base = watched.endsWith("/") ? watched : `${watched}/`;
  return updated.startsWith(base) || updated.startsWith(`${watched}#`);
}
