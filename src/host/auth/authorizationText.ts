import type { AuthReport } from "../../auth/model/authStatus.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import type { Translate } from "../../shared/translate.ts";
import { authLines, authWords, scopeSourceWords, scopeWords, timeWords, zoneWords } from "./authWords.ts";
import { clientWords, overrideWarnings } from "./signInQuestion.ts";

type Authorization = NonNullable<AuthReport["authorization"]>;

/** No line leaves a scope out: this is the place where all of them can be read. */
const ALL = Number.POSITIVE_INFINITY;

/**
 * How a server is authorized, for a person or for a report of a fault: everything but secrets.
 * @param problem What keeps the server from being used, as a sentence or two.
 */
export function authorizationText(report: AuthReport, t: Translate, problem?: string): string {
  const { serverName, status, authorization, overrides } = report;
  const name = showInvisible(serverName);
  const overridden = overrideWarnings(overrides, t);
  const lines = [
    name,
    "=".repeat(name.length),
    "",
    line(t("Status"), authWords(status, t) ?? t("The server asked for nothing so far")),
    ...authLines(status, t).flatMap(({ style, text }) => (style === "text" ? [text] : [])),
    ...(problem === undefined ? [] : [line(t("Problem"), showInvisible(problem))]),
    line(t("Address"), showInvisible(report.endpoint)),
    line(t("Tokens are got by"), grantWords(report.grant, t)),
    line(t("Kept in"), storeWords(report.store, t)),
    ...(overridden.length === 0
      ? []
      : ["", t("Decided by your settings"), ...overridden.map((one) => `- ${one}`)]),
    ...(authorization === undefined ? [] : authorizationLines(authorization, t)),
  ];
  return `${lines.join("\n")}\n`;
}

function authorizationLines(found: Authorization, t: Translate): readonly string[] {
  const { client, expiresAtMs, resourceMetadataUrl, proxy } = found;
  return [
    "",
    t("Server"),
    line(t("Resource"), showInvisible(found.resource)),
    line(t("Found"), foundWords(found.resourceHow, t)),
    ...(resourceMetadataUrl === undefined
      ? []
      : [line(t("Its metadata"), showInvisible(resourceMetadataUrl))]),
    line(t("Network"), zoneWords(found.zone, t)),
    ...(proxy === undefined ? [] : [line(t("Proxy"), showInvisible(proxy))]),
    "",
    t("Authorization server"),
    line(t("Issuer"), showInvisible(found.issuer)),
    line(t("Its metadata"), showInvisible(found.issuerMetadataUrl)),
    line(t("Its answers name it"), found.issInAnswers ? t("yes") : t("no")),
    line("PKCE S256", found.pkce === "announced" ? t("announced") : t("taken for granted by your settings")),
    "",
    t("Client"),
    line(t("Id"), showInvisible(client.id)),
    line(t("Known there"), clientWords(client.kind, t)),
    line(t("Authentication"), client.authMethod),
    ...(client.redirectUri === undefined
      ? []
      : [line(t("Redirect address"), showInvisible(client.redirectUri))]),
    "",
    t("Token"),
    line(t("Type"), found.tokenType === "dpop" ? "DPoP" : "Bearer"),
    line(
      t("Scopes asked for"),
      `${scopeWords(found.requestedScopes, t, ALL)} (${scopeSourceWords(found.scopeSource, t)})`,
    ),
    line(t("Granted scopes"), scopeWords(found.grantedScopes, t, ALL)),
    line(t("Signed in"), timeWords(found.signedInAtMs)),
    line(t("Last renewed"), timeWords(found.refreshedAtMs)),
    line(t("Token valid until"), expiresAtMs === undefined ? t("not said") : timeWords(expiresAtMs)),
    line(t("Can be renewed"), found.canRefresh ? t("yes") : t("no")),
  ];
}

/**
 * The same as Markdown, in English whatever the language of the window, because those who read it run the server. Texts
 * of others stand in a code block, so that nothing in them is markup.
 */
export function authorizationReport(
  report: AuthReport,
  about: { readonly extension: string; readonly editor: string },
  english: Translate,
  problem?: string,
): string {
  const text = authorizationText(report, english, problem).trimEnd();
  // A fence that nothing inside can close.
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\nSignalbox ${about.extension}, ${about.editor}\n\n${text}\n${fence}\n`;
}

function line(name: string, text: string): string {
  return `${name}: ${text}`;
}

function grantWords(grant: AuthReport["grant"], t: Translate): string {
  switch (grant) {
    case "authorization_code":
      return t("signing in with a browser");
    case "client_credentials":
      return t("the client's own credentials");
    case "enterprise":
      return t("an identity provider");
    case "workload":
      return t("the identity of a workload");
  }
}

function storeWords(store: AuthReport["store"], t: Translate): string {
  switch (store) {
    case "secret-storage":
      return t("the editor's secret storage");
    case "file":
      return t("files that only your user can read");
    case "memory":
      return t("memory, until the window is closed");
  }
}

function foundWords(how: Authorization["resourceHow"], t: Translate): string {
  switch (how) {
    case "challenge":
      return t("where the server's refusal said");
    case "path":
      return t("at the well-known address of its path");
    case "root":
      return t("at the well-known address of its host");
    case "settings":
      return t("in the settings");
    case "guessed":
      return t("guessed, as MCP 2025-03-26 says");
  }
}
