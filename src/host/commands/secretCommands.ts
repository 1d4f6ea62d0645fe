import * as vscode from "vscode";
import type { JsonObject } from "../../base/json.ts";
import { isSecretName } from "../config/secretVault.ts";
import { secretNamesIn } from "../config/secretNamesIn.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import { readEntry } from "../config/writeServer.ts";
import { askChoice, askText, type Choice } from "../quickInput/ask.ts";
import { BACK, type FlowStep, runFlow, SKIP } from "../quickInput/runFlow.ts";
import type { HostServices } from "../services.ts";
import { isForced } from "./isForced.ts";
import type { Handlers } from "./table.ts";

interface SecretDraft {
  readonly name?: string;
  readonly isNew?: boolean;
  readonly value?: string;
}

/** Set Secret… and Delete Secret…. Values go into SecretStorage and are never shown again. */
export function secretCommands(
  services: HostServices,
  config: ConfigWatcher,
): Handlers<"signalbox.setSecret" | "signalbox.deleteSecret"> {
  return {
    async "signalbox.setSecret"(name, value) {
      const named = typeof name === "string" ? { name } : {};
      const given = typeof value === "string" ? { ...named, value } : named;
      const draft = await runFlow(setSteps(services, config), given);
      if (draft?.name === undefined || draft.value === undefined) return undefined;
      await services.secrets.set(draft.name, draft.value);
      if (value === undefined) {
        const usage = `\${secret:${draft.name}}`;
        void vscode.window.showInformationMessage(
          vscode.l10n.t("The secret is stored. Refer to it in the settings as {placeholder}.", {
            placeholder: usage,
          }),
        );
      }
      return draft.name;
    },

    async "signalbox.deleteSecret"(name, options) {
      const chosen = typeof name === "string" ? name : await chooseStored(services);
      if (chosen === undefined || !services.secrets.names().includes(chosen)) return undefined;
      if (!isForced(options) && !(await confirmDeletion(chosen, usersOf(config, chosen)))) return undefined;
      await services.secrets.delete(chosen);
      return chosen;
    },
  };
}

function setSteps(services: HostServices, config: ConfigWatcher): readonly FlowStep<SecretDraft>[] {
  const title = vscode.l10n.t("Set Secret");
  return [
    async (draft) => {
      if (draft.name !== undefined) return SKIP;
      const items = nameChoices(services, config);
      if (items.length === 1) return { ...draft, isNew: true };
      const chosen = await askChoice({ title, placeholder: vscode.l10n.t("Which secret?"), items });
      if (chosen === undefined || chosen === BACK) return chosen;
      return chosen === "" ? { ...draft, isNew: true } : { ...draft, name: chosen };
    },
    async (draft, canGoBack) => {
      if (draft.name !== undefined) return SKIP;
      const name = await askText({
        title,
        canGoBack,
        prompt: vscode.l10n.t("Name of the secret, as in a placeholder of the settings"),
        placeholder: "GITHUB_TOKEN",
        validate: (text) =>
          isSecretName(text)
            ? undefined
            : vscode.l10n.t("A name has letters, digits, “.”, “-” and “_”, and at most 128 characters."),
      });
      return typeof name === "string" ? { ...draft, name } : name;
    },
    async (draft, canGoBack) => {
      if (draft.value !== undefined) return SKIP;
      const value = await askText({
        title,
        canGoBack,
        prompt: vscode.l10n.t(
          "Value of “{name}”. It is kept in the editor's secret storage, not in the settings.",
          {
            name: draft.name ?? "",
          },
        ),
        password: true,
        validate: (text) => (text === "" ? vscode.l10n.t("A secret cannot be empty.") : undefined),
      });
      return typeof value === "string" ? { ...draft, value } : value;
    },
  ];
}

/** Names that the settings ask for and nobody has set come first; the empty value means a new name. */
function nameChoices(services: HostServices, config: ConfigWatcher): readonly Choice<string>[] {
  const stored = services.secrets.names();
  const wanted = new Set(entriesOf(config).flatMap(([, entry]) => secretNamesIn(entry)));
  const missing = [...wanted].filter((name) => !stored.includes(name)).sort();
  return [
    ...missing.map((name) => ({
      label: name,
      description: vscode.l10n.t("used in the settings, not set"),
      value: name,
    })),
    ...stored.map((name) => ({
      label: name,
      description: vscode.l10n.t("already set; a new value replaces it"),
      value: name,
    })),
    { label: `$(add) ${vscode.l10n.t("New secret…")}`, value: "" },
  ];
}

async function chooseStored(services: HostServices): Promise<string | undefined> {
  const names = services.secrets.names();
  if (names.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t("No secrets are stored."));
    return undefined;
  }
  const chosen = await askChoice({
    title: vscode.l10n.t("Delete Secret"),
    items: names.map((name) => ({ label: name, value: name })),
  });
  return chosen === BACK ? undefined : chosen;
}

async function confirmDeletion(name: string, users: readonly string[]): Promise<boolean> {
  const remove = vscode.l10n.t("Delete");
  const detail =
    users.length === 0
      ? vscode.l10n.t("No server in the settings uses it.")
      : vscode.l10n.t("These servers use it and will not start without it: {servers}", {
          servers: users.join(", "),
        });
  const question = vscode.l10n.t("Delete the secret “{name}”?", { name });
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}

function usersOf(config: ConfigWatcher, name: string): readonly string[] {
  return entriesOf(config).flatMap(([id, entry]) => (secretNamesIn(entry).includes(name) ? [id] : []));
}

function entriesOf(config: ConfigWatcher): readonly (readonly [string, JsonObject])[] {
  return [...config.current.origins].map(([id, layer]) => [id, readEntry(layer, id) ?? {}] as const);
}
