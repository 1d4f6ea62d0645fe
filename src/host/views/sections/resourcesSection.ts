import type { ConnectedState } from "../../../client/serverState.ts";
import { isJsonObject } from "../../../base/json.ts";
import type { Resource } from "../../../protocol/model/resource.ts";
import { formatBytes } from "../../formatBytes.ts";
import { iconOfType } from "../../resources/mediaTypes.ts";
import { oneLine } from "../../serverText.ts";
import {
  nodeId,
  type ResourceNode,
  type TooltipLine,
  type TreeContext,
  type TreeItemModel,
} from "../nodes.ts";
import { childrenOfList, headingOfList, type Section } from "./section.ts";

export const resourcesSection: Section = {
  id: "resources",
  heading: ({ lists }, t) => headingOfList(lists.resources, { label: t("Resources"), icon: "library" }),
  children: (entry, state, context) =>
    childrenOfList(
      entry.id,
      "resources",
      state.lists.resources,
      {
        empty: context.t("This server lists no resources."),
        key: (resource) => resource.uri,
        node: (resource, copies) =>
          resourceNode(entry.id, resource, { copies, canWatch: canWatch(state) }, context),
      },
      context,
    ),
};

/** Whether the server tells about changes of single resources. */
export function canWatch({ negotiation }: ConnectedState): boolean {
  const resources = negotiation.capabilities["resources"];
  return isJsonObject(resources) && resources["subscribe"] === true;
}

function resourceNode(
  serverId: string,
  resource: Resource,
  { copies, canWatch: isWatchable }: { readonly copies: number; readonly canWatch: boolean },
  { t, isWatched, isChanged }: TreeContext,
): ResourceNode {
  const label = oneLine(resource.displayName);
  const watched = isWatched(serverId, resource.uri);
  const changed = isChanged(serverId, resource.uri);
  const facts = [
    ...(changed ? [t("changed")] : []),
    ...(watched ? [t("watched")] : []),
    ...(resource.mimeType === undefined ? [] : [oneLine(resource.mimeType, 60)]),
    ...(resource.size === undefined ? [] : [formatBytes(resource.size, t)]),
  ];
  const description = facts.join(" · ");
  const tooltip: TooltipLine[] = [
    { style: "title", text: label },
    { style: "fact", name: t("Address"), text: oneLine(resource.uri, 1_000) },
    ...(facts.length === 0 ? [] : [{ style: "text", text: description } as const]),
    ...(changed ? [{ style: "text", text: t("It changed since you last opened it.") } as const] : []),
    ...(resource.description === undefined ? [] : [{ style: "quote", text: resource.description } as const]),
  ];
  const spoken = t("Resource {label} of server {server}", { label, server: serverId });
  return {
    kind: "resource",
    serverId,
    uri: resource.uri,
    item: {
      id: nodeId(serverId, "resource", resource.uri, copies),
      label,
      ...(description === "" ? {} : { description }),
      icon: iconOf(watched, changed, resource.mimeType),
      contextValue: watched ? "resource.watched" : isWatchable ? "resource.watchable" : "resource",
      tooltip,
      accessibleLabel: description === "" ? spoken : `${spoken}, ${description}`,
      children: "none",
      click: "readResource",
    },
  };
}

function iconOf(isWatched: boolean, isChanged: boolean, mimeType: string | undefined): TreeItemModel["icon"] {
  if (isChanged) return { id: "bell-dot", color: "notificationsInfoIcon.foreground" };
  return { id: isWatched ? "eye" : iconOfType(mimeType) };
}
