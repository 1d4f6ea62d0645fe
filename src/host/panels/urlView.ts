import { domainToUnicode } from "node:url";
import { isAddress, isLoopbackHost } from "../../net/hostAddress.ts";
import type { Translate } from "../../shared/translate.ts";

/** How a server's URL is shown before anybody decides about it. */
export interface UrlView {
  /** The exact address that would be opened; empty when there is none. */
  readonly href: string;
  /** The address cut in three, so that the host can be marked. */
  readonly parts: { readonly before: string; readonly host: string; readonly after: string };
  readonly warnings: readonly string[];
  readonly canOpen: boolean;
}

/**
 * Looks at a URL that a server wants to have opened, without touching the network. What is shown is what would be
 * opened: the normalised address, whose host is in its ASCII form. `allowHttp` is for links that a person clicks;
 * what a server asks to have opened must be https, or http on this machine.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#safe-url-handling
 */
export function viewUrl(
  text: string,
  t: Translate,
  options: { readonly allowHttp: boolean } = { allowHttp: false },
): UrlView {
  if (!URL.canParse(text)) {
    return refused(text, [t("This is not a complete web address. It cannot be opened.")]);
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refused(text, [
      t("Only https addresses can be opened; this one starts with “{scheme}”.", { scheme: url.protocol }),
    ]);
  }
  const warnings = [...hostWarnings(url.hostname, t)];
  if (url.username !== "" || url.password !== "") {
    warnings.push(
      t("The address has text before an “@”. That text is not where it leads; the marked host is."),
    );
  }
  if (url.port !== "") {
    warnings.push(t("The address uses the unusual port {port}.", { port: url.port }));
  }
  const insecure = url.protocol === "http:" && !isLoopbackHost(url.hostname);
  const canOpen = !insecure || options.allowHttp;
  if (insecure) {
    warnings.push(
      canOpen
        ? t("The address is not encrypted (http).")
        : t("The address is not encrypted (http). It cannot be opened."),
    );
  }
  return { href: url.href, parts: split(url), warnings, canOpen };
}

function refused(text: string, warnings: readonly string[]): UrlView {
  return { href: "", parts: { before: text, host: "", after: "" }, warnings, canOpen: false };
}

function split(url: URL): UrlView["parts"] {
  const userinfo =
    url.username === "" && url.password === ""
      ? ""
      : `${url.username}${url.password === "" ? "" : `:${url.password}`}@`;
  const before = `${url.protocol}//${userinfo}`;
  return { before, host: url.hostname, after: url.href.slice(before.length + url.hostname.length) };
}

function* hostWarnings(hostname: string, t: Translate): Generator<string> {
  if (isLoopbackHost(hostname)) {
    yield t("The address leads to this machine itself.");
    return;
  }
  if (isAddress(hostname)) {
    yield t("The address is a number, not a name, so it does not say whose it is.");
    return;
  }
  const labels = hostname.split(".");
  if (!labels.some((label) => label.startsWith("xn--"))) return;
  yield t(
    "The host has international characters. Written out it reads “{host}”, which may look like another name.",
    {
      host: domainToUnicode(hostname),
    },
  );
  if (labels.some((label) => isMixedScript(domainToUnicode(label)))) {
    yield t("The host mixes alphabets within one name, as imitations of other names do.");
  }
}

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
  ["Hebrew", /\p{Script=Hebrew}/u],
  ["Arabic", /\p{Script=Arabic}/u],
  ["Han", /\p{Script=Han}/u],
  ["Hiragana", /\p{Script=Hiragana}/u],
  ["Katakana", /\p{Script=Katakana}/u],
  ["Bopomofo", /\p{Script=Bopomofo}/u],
  ["Hangul", /\p{Script=Hangul}/u],
];

/** Alphabets that languages really use together. @see https://www.unicode.org/reports/tr39/#Restriction_Level_Detection */
const USUAL_MIXTURES: readonly ReadonlySet<string>[] = [
  new Set(["Latin", "Han", "Hiragana", "Katakana"]),
  new Set(["Latin", "Han", "Bopomofo"]),
  new Set(["Latin", "Han", "Hangul"]),
];

function isMixedScript(label: string): boolean {
  const found = SCRIPTS.filter(([, pattern]) => pattern.test(label)).map(([name]) => name);
  return found.length > 1 && !USUAL_MIXTURES.some((mixture) => found.every((name) => mixture.has(name)));
}
