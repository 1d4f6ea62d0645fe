import { isJsonObject, type JsonObject, type JsonValue } from "../../../base/json.ts";
import type { ListName } from "../../model/listing.ts";
import type { SubscriptionFilter } from "../../model/subscriptions.ts";

const KEYS: readonly (readonly [list: ListName, key: string])[] = [
  ["tools", "toolsListChanged"],
  ["prompts", "promptsListChanged"],
  ["resources", "resourcesListChanged"],
];

/** The `notifications` parameter of `subscriptions/listen`: what is left out is not subscribed to. */
export function toListenFilter(filter: SubscriptionFilter): JsonObject {
  const wire: Record<string, JsonValue> = {};
  for (const [list, key] of KEYS) if (filter.lists.includes(list)) wire[key] = true;
  if (filter.resources.length > 0) wire["resourceSubscriptions"] = [...filter.resources];
  if (filter.tasks.length > 0) wire["taskIds"] = [...filter.tasks];
  return wire;
}

/** What of the asked a server acknowledges. What it adds on its own was not asked for and does not count. */
export function readHonoured(wire: JsonValue | undefined, asked: SubscriptionFilter): SubscriptionFilter {
  const honoured = isJsonObject(wire) ? wire : {};
  const within = (all: readonly string[], some: JsonValue | undefined): readonly string[] =>
    Array.isArray(some) ? all.filter((item) => some.includes(item)) : [];
  const lists = KEYS.filter(([, key]) => honoured[key] === true).map(([list]) => list);
  return {
    lists: asked.lists.filter((list) => lists.includes(list)),
    resources: within(asked.resources, honoured["resourceSubscriptions"]),
    tasks: within(asked.tasks, honoured["taskIds"]),
  };
}
