import { assertNever } from "../../base/assertNever.ts";
import { AuthError } from "../../auth/authError.ts";
import { redactUrl } from "../../base/redact.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { ServerConfig } from "../../client/serverConfig.ts";
import type { ConnectedState, ConnectStep, PlannedRestart, ServerState } from "../../client/serverState.ts";
import type { Negotiation } from "../../protocol/model/server.ts";
import { oneLine } from "../serverText.ts";
import type { Translate } from "../../shared/translate.ts";
import type { Wording } from "../words.ts";
import { authContext, authLines, authWords, needsPerson } from "../auth/authWords.ts";
import type { TooltipLine, TreeContext, TreeItemModel } from "./nodes.ts";
import { offeredWords, silentLists } from "./offeredWords.ts";

const ICONS = {
  disabled: { id: "circle-slash", color: "disabledForeground" },
  stopped: { id: "circle-outline" },
  blocked: { id: "warning", color: "problemsWarningIcon.foreground" },
  connecting: { id: "loading~spin" },
  connected: { id: "pass-filled", color: "testing.iconPassed" },
  failed: { id: "error", color: "problemsErrorIcon.foreground" },
} as const satisfies Record<ServerState["kind"], TreeItemModel["icon"]>;

/** Another shape than that of a failure: nothing is broken. */
const NEEDS_PERSON = { id: "lock", color: "problemsWarningIcon.foreground" } as const;

/** How a server looks and reads in the tree, its children aside. */
export function describeServer(entry: ServerEntry, context: TreeContext): Omit<TreeItemModel, "children"> {
  const { t } = context;
  const state = entryWords(entry, t);
  const protocol = entry.state.kind === "connected" ? protocolWords(entry.state.negotiation, t) : undefined;
  const auth = protocol === undefined ? undefined : authWords(entry.authorization, t);
  const whole = protocol === undefined ? state : `${state} · ${protocol}`;
  return {
    id: entry.id,
    // What is wrong with the map of servers as a whole belongs to no server.
    label: entry.id === "" ? t("Settings") : entry.id,
    description: protocol === undefined ? state : connectedWords(protocol, auth, entry),
    icon: iconOf(entry),
    contextValue: contextValueOf(entry, context),
    tooltip: tooltipOf(entry, whole, context),
    accessibleLabel: t("Server {server}, {state}", { server: entry.id, state: whole }),
  };
}

/** The icon's shape says “connected”: the row keeps its width for the revision, and first for what wants the person. */
function connectedWords(protocol: string, auth: string | undefined, { authorization }: ServerEntry): string {
  if (auth === undefined) return protocol;
  return needsPerson(authorization) ? `${auth} · ${protocol}` : `${protocol} · ${auth}`;
}

/**
 * What a server is doing and how it is authorized, in a few words. That it failed or is blocked goes without saying
 * where all that is missing is a person who signs in.
 */
export function entryWords(entry: ServerEntry, t: Translate, nowMs = Date.now()): string {
  const state = stateWords(entry.state, t, nowMs);
  const auth = authWords(entry.authorization, t);
  // Connecting says each of its steps, signing in among them.
  if (auth === undefined || entry.state.kind === "connecting") return state;
  return isHeldUp(entry) ? auth : `${state} · ${auth}`;
}

/** True when a server is out of use for want of a credential, and for nothing else. */
export function isHeldUp({ state, authorization }: ServerEntry): boolean {
  const isDown = state.kind === "failed" || state.kind === "blocked";
  const isWaiting = authorization?.kind === "needs-sign-in" || needsPerson(authorization);
  return isDown && isWaiting && state.problem instanceof AuthError;
}

/** True for a server that is connected and refuses everything until somebody signs in. */
function isCutOff({ state, authorization }: ServerEntry): boolean {
  const isWaiting = authorization?.kind === "needs-sign-in" || authorization?.kind === "expired";
  return state.kind === "connected" && isWaiting;
}

function iconOf(entry: ServerEntry): TreeItemModel["icon"] {
  return isHeldUp(entry) || isCutOff(entry) ? NEEDS_PERSON : ICONS[entry.state.kind];
}

/** “Modern 2026-07-28”: the era and the revision of a connection. */
export function protocolWords(negotiation: Negotiation, t: Translate): string {
  const { era, revision } = negotiation;
  return era === "modern" ? t("Modern {revision}", { revision }) : t("Legacy {revision}", { revision });
}

/** What the server is doing, in a word or two. `nowMs` is what the time until a restart counts from. */
export function stateWords(state: ServerState, t: Translate, nowMs = Date.now()): string {
  switch (state.kind) {
    case "disabled":
      return t("Disabled");
    case "stopped":
      return t("Stopped");
    case "blocked":
      return t("Needs attention");
    case "connecting":
      return stepWords(state.step, t);
    case "connected":
      return t("Connected");
    case "failed":
      return state.restart === undefined ? t("Failed") : restartWords(state.restart, nowMs, t);
    default:
      return assertNever(state);
  }
}

/** How the era was decided, in a few words. */
export function howWords(how: Negotiation["how"], t: Translate): string {
  switch (how) {
    case "pinned":
      return t("set in the settings");
    case "probed":
      return t("asked the server");
    case "remembered":
      return t("remembered from last time");
    case "fallback":
      return t("fell back to the older handshake");
  }
}

function restartWords({ atMs, attempt, of }: PlannedRestart, nowMs: number, t: Translate): string {
  const seconds = Math.max(1, Math.ceil((atMs - nowMs) / 1000));
  return t("Failed, restarts in {seconds} s ({attempt} of {of})", { seconds, attempt, of });
}

function stepWords(step: ConnectStep, t: Translate): string {
  switch (step) {
    case "approving":
      return t("Waiting for approval…");
    case "resolving":
      return t("Reading settings…");
    case "signing-in":
      return t("Signing in…");
    case "starting":
      return t("Starting…");
    case "negotiating":
      return t("Negotiating…");
    case "listing":
      return t("Listing tools…");
  }
}

/** What the menus match: state, transport, what is allowed, authorization. An entry too broken to be a server says so. */
function contextValueOf({ config, state, authorization }: ServerEntry, { maySample }: TreeContext): string {
  if (config === undefined) return `server.${state.kind}.invalid`;
  const auth = authContext(authorization);
  return [
    `server.${state.kind}.${config.type}`,
    ...(maySample(config) ? ["sampling"] : []),
    ...(auth === "" ? [] : [`auth-${auth}`]),
  ].join(".");
}

function tooltipOf(entry: ServerEntry, description: string, words: Wording): readonly TooltipLine[] {
  const { t } = words;
  const { config, state } = entry;
  const lines: TooltipLine[] = [
    { style: "title", text: entry.id },
    { style: "text", text: description },
  ];
  if (config?.description !== undefined) lines.push({ style: "text", text: config.description });
  if (config !== undefined) {
    lines.push({ style: "fact", name: t("Defined in"), text: sourceWords(config.source, t) });
    // Placeholders stay placeholders here; what looks like a secret in a URL is masked.
    const target =
      config.type === "http" ? redactUrl(config.url) : [config.command, ...config.args].join(" ");
    lines.push({
      style: "fact",
      name: config.type === "http" ? t("Address") : t("Command"),
      text: oneLine(target),
    });
  }
  lines.push(...authLines(entry.authorization, t));
  if (state.kind === "connected") lines.push(...connectionLines(state, config, t));
  if (state.kind === "failed" || state.kind === "blocked") {
    const { message, remedy } = words.describe(state.problem);
    lines.push({ style: "text", text: message });
    if (remedy !== undefined) lines.push({ style: "text", text: remedy });
  }
  return lines;
}

function connectionLines(
  state: ConnectedState,
  config: ServerConfig | undefined,
  t: Translate,
): readonly TooltipLine[] {
  const { negotiation } = state;
  const { server, reason, roundTrips } = negotiation;
  const lines: TooltipLine[] = [
    {
      style: "fact",
      name: t("Protocol"),
      text: `${protocolWords(negotiation, t)} (${howWords(negotiation.how, t)})`,
    },
    { style: "fact", name: t("Reason"), text: oneLine(reason) },
    { style: "fact", name: t("Round trips before use"), text: String(roundTrips) },
  ];
  if (server !== undefined) {
    const claim = oneLine(`${server.title ?? server.name} ${server.version}`);
    lines.push({ style: "fact", name: t("The server calls itself"), text: claim });
  }
  lines.push({ style: "fact", name: t("Declared to it"), text: offeredWords(state, config, t) });
  const silent = silentLists(state, t);
  if (silent !== undefined) lines.push({ style: "text", text: silent });
  return lines;
}

/** The place of a definition, as the settings editor calls it. */
export function sourceWords(source: "user" | "workspace" | "folder" | "file", t: Translate): string {
  switch (source) {
    case "user":
      return t("User settings");
    case "workspace":
      return t("Workspace settings");
    case "folder":
      return t("Folder settings");
    case "file":
      return t("A configuration file");
  }
}
