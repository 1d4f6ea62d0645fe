import type { ServerEntry } from "../../client/serverPool.ts";
import type { Prompt } from "../../protocol/model/prompt.ts";
import { hasResources, promptsOf, resourcesOf } from "../listsOf.ts";

/** What a person wrote after `/prompt`. */
export type PromptRequest =
  /** Nothing, so the prompts are listed. */
  | { readonly kind: "list" }
  | { readonly kind: "unknown"; readonly name: string }
  /** Several servers have one of that name. */
  | { readonly kind: "ambiguous"; readonly name: string; readonly servers: readonly string[] }
  | {
      readonly kind: "prompt";
      readonly entry: ServerEntry;
      readonly prompt: Prompt;
      readonly args: Readonly<Record<string, string>>;
      /** Required arguments without a value. */
      readonly missing: readonly string[];
      /** Words beyond the arguments: what the person says to it. */
      readonly rest: string;
    };

/** What a person wrote after `/resource`. */
export type ResourceRequest =
  | { readonly kind: "list" }
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "ambiguous"; readonly name: string; readonly servers: readonly string[] }
  | {
      readonly kind: "resource";
      readonly entry: ServerEntry;
      readonly uri: string;
      /** The question about it. */
      readonly rest: string;
    };

interface Word {
  readonly text: string;
  /** `name=` before a value. */
  readonly name?: string;
}

const WORD = /(?:([^\s="'“”]+)=)?(?:"((?:[^"\\]|\\.)*)"|“([^”]*)”|'([^']*)'|(\S+))/gu;

/** Words of a line. Quotes keep blanks together, and `name=value` is one word. */
function splitWords(text: string): readonly Word[] {
  return [...text.matchAll(WORD)].map(([, name, double, curly, single, plain]): Word => {
    const value = double?.replace(/\\(.)/g, "$1") ?? curly ?? single ?? plain ?? "";
    return name === undefined ? { text: value } : { text: value, name };
  });
}

/**
 * Reads `/prompt [server] name argument=value …`. The server may also stand before a slash. Words without a name fill
 * the first argument that has no value yet, and what is left is said to the model.
 */
export function readPromptRequest(text: string, servers: readonly ServerEntry[]): PromptRequest {
  const words = splitWords(text);
  const [first, second] = words;
  if (first === undefined) return { kind: "list" };
  const all = servers.flatMap((entry) => promptsOf(entry).map((prompt) => ({ entry, prompt })));
  const isCalled = ({ prompt }: { readonly prompt: Prompt }, name: string): boolean =>
    prompt.name === name || prompt.displayName.toLowerCase() === name.toLowerCase();
  const named = first.name === undefined ? first.text : `${first.name}=${first.text}`;
  let found = all.filter((one) => isCalled(one, named));
  let used = 1;
  if (found.length === 0) {
    found = all.filter(({ entry, prompt }) => `${entry.id}/${prompt.name}` === named);
  }
  if (found.length === 0 && second !== undefined && second.name === undefined) {
    found = all.filter((one) => one.entry.id === named && isCalled(one, second.text));
    used = 2;
  }
  const [only] = found;
  if (only === undefined) return { kind: "unknown", name: named };
  if (found.length > 1)
    return { kind: "ambiguous", name: named, servers: found.map(({ entry }) => entry.id) };
  return { kind: "prompt", ...only, ...fillArguments(only.prompt, words.slice(used)) };
}

function fillArguments(
  prompt: Prompt,
  words: readonly Word[],
): {
  readonly args: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
  readonly rest: string;
} {
  const args = new Map<string, string>();
  const free: string[] = [];
  for (const { name, text } of words) {
    const known = prompt.arguments.find((argument) => argument.name === name);
    if (known !== undefined) args.set(known.name, text);
    else free.push(name === undefined ? text : `${name}=${text}`);
  }
  const open = prompt.arguments.filter((argument) => !args.has(argument.name));
  const next = open.find((argument) => argument.required) ?? open[0];
  let rest = free.join(" ");
  if (next !== undefined && rest !== "") {
    args.set(next.name, rest);
    rest = "";
  }
  return {
    args: Object.fromEntries(args),
    missing: prompt.arguments
      .filter(({ name, required }) => required && !args.has(name))
      .map(({ name }) => name),
    rest,
  };
}

/** Reads `/resource [server] URI question`. The name of a listed resource does as well as its URI. */
export function readResourceRequest(text: string, servers: readonly ServerEntry[]): ResourceRequest {
  const [first, ...others] = text.trim().split(/\s+/);
  if (first === undefined || first === "") return { kind: "list" };
  const offering = servers.filter(hasResources);
  const byName = findByName(text, offering);
  if (byName !== undefined) return byName;
  const named = offering.find((entry) => entry.id === first);
  const [uri, ...question] = named === undefined ? [first, ...others] : others;
  if (uri === undefined) return { kind: "list" };
  if (!/^[A-Za-z][\w+.-]*:./.test(uri)) return { kind: "unknown", name: uri };
  const rest = question.join(" ");
  if (named !== undefined) return { kind: "resource", entry: named, uri, rest };
  const listing = offering.filter((entry) => resourcesOf(entry).some((resource) => resource.uri === uri));
  const candidates = listing.length > 0 ? listing : offering;
  const [only] = candidates;
  if (only === undefined) return { kind: "unknown", name: uri };
  if (candidates.length > 1)
    return { kind: "ambiguous", name: uri, servers: candidates.map((entry) => entry.id) };
  return { kind: "resource", entry: only, uri, rest };
}

/** A listed resource whose name stands at the beginning of the text; the longest such name. */
function findByName(text: string, servers: readonly ServerEntry[]): ResourceRequest | undefined {
  const said = text
    .trim()
    .replace(/^["“']/, "")
    .toLowerCase();
  const found = servers
    .flatMap((entry) => resourcesOf(entry).map((resource) => ({ entry, resource })))
    .flatMap((one) => [one.resource.displayName, one.resource.name].map((name) => ({ ...one, name })))
    .filter(
      ({ name }) => name !== "" && new RegExp(`^${escape(name.toLowerCase())}(?=$|["”'\\s])`, "u").test(said),
    )
    .sort((a, b) => b.name.length - a.name.length);
  const [best] = found;
  if (best === undefined) return undefined;
  const same = new Set(
    found
      .filter(({ name }) => name === best.name)
      .map(({ entry, resource }) => `${entry.id} ${resource.uri}`),
  );
  const { entry, resource, name } = best;
  if (same.size > 1)
    return { kind: "ambiguous", name, servers: [...new Set(found.map((one) => one.entry.id))] };
  const rest =
    said === text.trim().toLowerCase() ? text.trim().slice(name.length) : text.trim().slice(name.length + 2);
  return { kind: "resource", entry, uri: resource.uri, rest: rest.trim() };
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
