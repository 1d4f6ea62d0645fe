import type { JsonObject } from "../../base/json.ts";
import { importServers } from "../../client/importServers.ts";
import type { Translate } from "../../shared/translate.ts";
import type { AddPlan } from "./addServerDraft.ts";
import { freeName } from "./freeName.ts";

/** What a pasted text comes to: a plan, or what is wrong with it in the user's language. */
export type ImportPlan =
  { readonly kind: "plan"; readonly plan: AddPlan } | { readonly kind: "problem"; readonly problem: string };

/** What a plan must not overwrite. */
export interface TakenNames {
  readonly isServer: (name: string) => boolean;
  readonly secrets: readonly string[];
}

/** Turns a pasted text into entries and secrets. Names of servers that are taken get a number. */
export function planImport(text: string, taken: TakenNames, t: Translate): ImportPlan {
  const imported = importServers(text, new Set(taken.secrets));
  if (imported.kind === "failed") {
    return { kind: "problem", problem: t(imported.problem.template, imported.problem.args) };
  }
  const entries = new Map<string, JsonObject>();
  const secrets = new Map<string, string>();
  const missing = new Set<string>();
  for (const server of imported.servers) {
    const name = freeName(server.name, (candidate) => entries.has(candidate) || taken.isServer(candidate));
    entries.set(name, server.entry);
    for (const secret of server.secrets) {
      if (secret.value === undefined) missing.add(secret.name);
      else secrets.set(secret.name, secret.value);
    }
  }
  return {
    kind: "plan",
    plan: {
      entries: Object.fromEntries(entries),
      secrets: Object.fromEntries(secrets),
      missingSecrets: [...missing],
      inputs: imported.servers.flatMap((server) => server.inputs),
      notes: imported.servers.flatMap((server) =>
        server.warnings.map(({ template, args }) => t(template, args)),
      ),
    },
  };
}
