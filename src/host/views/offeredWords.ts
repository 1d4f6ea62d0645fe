import type { ServerConfig } from "../../client/serverConfig.ts";
import type { ConnectedState } from "../../client/serverState.ts";
import type { ListName } from "../../protocol/model/listing.ts";
import type { FeatureName } from "../../protocol/mrtr/clientFeatures.ts";
import { unhonoured } from "../../protocol/model/subscriptions.ts";
import type { Translate } from "../../shared/translate.ts";

/** What is declared to a server, as a list of words: what it may ask for, and what the settings switch on. */
export function offeredWords(
  { allowed }: Pick<ConnectedState, "allowed">,
  config: ServerConfig | undefined,
  t: Translate,
): string {
  const level = config?.logLevel;
  return [
    t("questions"),
    ...allowed.map((feature) => featureWords(feature, t)),
    ...(config?.tasks === true ? [t("tasks")] : []),
    ...(config?.skills === true ? [t("skills")] : []),
    ...(level === undefined ? [] : [t("logs from {level}", { level })]),
    ...(config?.trace === true ? [t("traces")] : []),
  ].join(", ");
}

/** What the server wanted in vain, as a list of words. */
export function wantedWords(wanted: readonly FeatureName[], t: Translate): string {
  return wanted.map((feature) => featureWords(feature, t)).join(", ");
}

/** Which lists are not kept up to date by the server, as a sentence; undefined when it tells of all of them. */
export function silentLists({ subscriptions }: ConnectedState, t: Translate): string | undefined {
  const { lists } = unhonoured(subscriptions);
  if (lists.length === 0) return undefined;
  const named = lists.map((list) => listWords(list, t)).join(", ");
  return t("The server does not tell when these lists change: {lists}. Refresh them to see changes.", {
    lists: named,
  });
}

function featureWords(feature: FeatureName, t: Translate): string {
  return feature === "sampling" ? t("a language model") : t("folders");
}

function listWords(list: ListName, t: Translate): string {
  switch (list) {
    case "tools":
      return t("Tools");
    case "prompts":
      return t("Prompts");
    case "resources":
      return t("Resources");
  }
}
