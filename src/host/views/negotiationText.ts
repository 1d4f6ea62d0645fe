import { stringifyJson } from "../../base/json.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import {
  isEmptyFilter,
  type SubscriptionFilter,
  type SubscriptionState,
  unhonoured,
} from "../../protocol/model/subscriptions.ts";
import { oneLine } from "../serverText.ts";
import type { Translate } from "../../shared/translate.ts";
import { offeredWords, wantedWords } from "./offeredWords.ts";
import { howWords, protocolWords, stateWords } from "./serverItem.ts";

/** What the server tells about on its own, and what it was asked for in vain. */
function subscriptionLines(state: SubscriptionState, t: Translate): readonly string[] {
  const { asked, honoured } = state;
  if (isEmptyFilter(asked)) return [];
  const names = (filter: SubscriptionFilter): string => {
    const all = [...filter.lists, ...filter.resources, ...filter.tasks].map((name) => oneLine(name));
    return all.length === 0 ? t("nothing") : all.join(", ");
  };
  const missing = unhonoured(state);
  return [
    `${t("Tells when these change")}: ${names(honoured)}`,
    ...(isEmptyFilter(missing)
      ? []
      : [`${t("Does not tell, so refresh to see changes")}: ${names(missing)}`]),
  ];
}

/** How the protocol of a server was decided, step by step, as a readable text. */
export function negotiationText(entry: ServerEntry, t: Translate): string {
  if (entry.state.kind !== "connected") {
    return `${entry.id}\n\n${stateWords(entry.state, t)}\n`;
  }
  const { negotiation } = entry.state;
  const { server, capabilities, instructions, steps } = negotiation;
  const lines = [
    entry.id,
    "=".repeat(entry.id.length),
    "",
    `${t("Protocol")}: ${protocolWords(negotiation, t)}`,
    `${t("Decided")}: ${howWords(negotiation.how, t)}`,
    `${t("Reason")}: ${oneLine(negotiation.reason, 2_000)}`,
    `${t("Round trips before use")}: ${String(negotiation.roundTrips)}`,
    ...(entry.config?.type === "stdio"
      ? [`${t("Processes started")}: ${String(negotiation.processes)}`]
      : []),
    ...subscriptionLines(entry.state.subscriptions, t),
    `${t("Declared to it")}: ${offeredWords(entry.state, entry.config, t)}`,
    ...(entry.state.wanted.length === 0
      ? []
      : [`${t("It wanted, and may not use")}: ${wantedWords(entry.state.wanted, t)}`]),
    "",
    t("Steps"),
    ...steps.map(
      (step) =>
        `${String(Math.round(step.atMs)).padStart(7)} ms  ${step.what}: ${oneLine(step.outcome, 2_000)}`,
    ),
    "",
    t("What the server says about itself (not verified)"),
    server === undefined ? t("Nothing.") : oneLine(`${server.title ?? server.name} ${server.version}`),
    `${t("Capabilities")}: ${stringifyJson(capabilities, 2)}`,
  ];
  if (instructions !== undefined)
    lines.push("", t("Instructions of the server for a model (not verified)"), instructions);
  return `${lines.join("\n")}\n`;
}
