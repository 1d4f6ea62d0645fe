import type { AuthOverrides } from "../../auth/model/authSettings.ts";
import type { ClientFacts } from "../../auth/model/facts.ts";
import type { SignInPlan } from "../../auth/model/signInPorts.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import type { Translate } from "../../shared/translate.ts";
import { scopeSourceWords, scopeWords, zoneWords } from "./authWords.ts";

/** Scopes that the dialog names before it counts the rest. */
const MAX_SCOPES = 20;
/** Characters of one fact in the dialog: more than a host can have, so that hosts are always there to their end. */
const MAX_FACT = 300;
/** Characters of all scopes on one line: some servers name them by addresses. */
const MAX_SCOPE_LINE = 1_000;

/** How much of the facts there is room for. */
interface Room {
  readonly scopes: number;
  readonly scopeLine: number;
  readonly fact: number;
}

const DIALOG: Room = { scopes: MAX_SCOPES, scopeLine: MAX_SCOPE_LINE, fact: MAX_FACT };
const NO_END = Number.POSITIVE_INFINITY;
const PAGE: Room = { scopes: NO_END, scopeLine: NO_END, fact: NO_END };

/** The question before a browser is opened, as plain text. */
export interface SignInQuestion {
  readonly title: string;
  readonly detail: string;
  /** What makes this sign-in an unusual one, as sentences; they are in the detail too. */
  readonly warnings: readonly string[];
  /** Everything there is to read, when the detail had to leave something out. */
  readonly whole?: string;
}

/** Puts into words who will be asked, for what, and where that was found. Everything foreign shows all of its characters. */
export function signInQuestion(plan: SignInPlan, overrides: AuthOverrides, t: Translate): SignInQuestion {
  const { serverName, added } = plan;
  const server = showInvisible(serverName);
  const title =
    added === undefined
      ? t("Sign in to “{server}”?", { server })
      : t("Give “{server}” more permission?", { server });
  const warningsIn = (room: Room): readonly string[] => [
    ...planWarnings(plan, t, room),
    ...overrideWarnings(overrides, t),
  ];
  const compose = (room: Room): string => {
    const warnings = warningsIn(room);
    return [
      ...factLines(plan, t, room),
      ...(warnings.length === 0 ? [] : ["", ...warnings.map((warning) => `⚠ ${warning}`)]),
    ].join("\n");
  };
  const [detail, whole] = [compose(DIALOG), compose(PAGE)];
  return { title, detail, warnings: warningsIn(DIALOG), ...(whole === detail ? {} : { whole }) };
}

/** The beginning of a text that there is no room for. Every character of it shows. */
function fit(text: string, characters: number): string {
  const shown = showInvisible(text);
  return shown.length <= characters ? shown : `${shown.slice(0, characters)}…`;
}

function factLines(plan: SignInPlan, t: Translate, room: Room): readonly string[] {
  const { resource, issuer, client, requested, authorizationHost, redirectUri, added } = plan;
  const line = (name: string, text: string): string => `${name}: ${text}`;
  const scopes = fit(scopeWords(requested.scopes, t, room.scopes), room.scopeLine);
  const source = scopeSourceWords(requested.source, t);
  return [
    line(t("For"), originOf(resource.resource)),
    line(t("Authorization server"), fit(issuer.issuer, room.fact)),
    line(t("The browser opens"), showInvisible(authorizationHost)),
    line(t("It comes back to"), hostOf(redirectUri)),
    ...(added === undefined || added.length === 0
      ? []
      : [line(t("New scopes"), fit(scopeWords(added, t, room.scopes), room.scopeLine))]),
    line(added === undefined ? t("Scopes") : t("All scopes"), t("{scopes} ({source})", { scopes, source })),
    line(
      t("Client"),
      t("{id} ({kind})", { id: fit(client.id, room.fact), kind: clientWords(client.kind, t) }),
    ),
  ];
}

function planWarnings(
  { changedFrom, moved, showOnly, authorizationHost, resource }: SignInPlan,
  t: Translate,
  room: Room,
): string[] {
  const host = showInvisible(authorizationHost);
  const warnings: string[] = [];
  if (changedFrom !== undefined)
    warnings.push(
      t("The authorization server has changed. Before, it was {issuer}.", {
        issuer: fit(changedFrom, room.fact),
      }),
    );
  if (moved !== undefined)
    warnings.push(
      t("The address of the server leads into another network than before: {to} in place of {from}.", {
        from: zoneWords(moved.from, t),
        to: zoneWords(moved.to, t),
      }),
    );
  if (resource.how === "guessed")
    warnings.push(t("The server does not say how to sign in. This is guessed, as MCP 2025-03-26 says."));
  if (showOnly === "more-private-zone")
    warnings.push(
      t(
        "{host} is in a more private network than the server. Its address is shown and not opened: open it yourself only if you know it.",
        { host },
      ),
    );
  if (showOnly === "unresolvable")
    warnings.push(t("This machine cannot find {host}. Its address is shown and not opened.", { host }));
  return warnings;
}

/** What the user's own settings decide in place of a check, as sentences. */
export function overrideWarnings(overrides: AuthOverrides, t: Translate): readonly string[] {
  const { issuer, resource, tokenEndpoint, assumePkceS256, fakeIpRanges } = overrides;
  const sentences: string[] = [];
  if (issuer !== undefined)
    sentences.push(
      t("Your settings name the authorization server: {issuer}", { issuer: showInvisible(issuer) }),
    );
  if (resource !== undefined)
    sentences.push(t("Your settings name the resource: {resource}", { resource: showInvisible(resource) }));
  if (tokenEndpoint !== undefined)
    sentences.push(
      t("Your settings let secrets go to {tokenEndpoint}", { tokenEndpoint: showInvisible(tokenEndpoint) }),
    );
  if (assumePkceS256)
    sentences.push(
      t("Your settings take it for granted that codes are protected by PKCE, which is not announced."),
    );
  if (fakeIpRanges.length > 0)
    sentences.push(
      t("Your settings count these addresses as public: {ranges}", {
        ranges: fakeIpRanges.map(showInvisible).join(", "),
      }),
    );
  return sentences;
}

/** Who the client is, and how it came to be known. */
export function clientWords(kind: ClientFacts["kind"], t: Translate): string {
  switch (kind) {
    case "preregistered":
      return t("named in the settings");
    case "cimd":
      return t("described by a document at that address");
    case "dcr":
      return t("registered there by this editor");
    case "asked":
      return t("typed in by you");
  }
}

/** Host and port of an address, or all of it where it is none. */
function hostOf(address: string): string {
  return showInvisible(URL.parse(address)?.host ?? address);
}

/** Scheme, host and port of an address, or all of it where it is none. */
function originOf(address: string): string {
  return showInvisible(URL.parse(address)?.origin ?? address);
}
