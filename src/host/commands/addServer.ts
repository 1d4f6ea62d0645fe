import * as vscode from "vscode";
import { CodedError, type MessageTemplate } from "../../base/errors.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import { addInputs, type ConfigPlace, hasEntry, writeEntries } from "../config/writeServer.ts";
import { runFlow } from "../quickInput/runFlow.ts";
import { withoutLinks } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import type { ServersTree } from "../views/serversTree.ts";
import { translate } from "../wording.ts";
import { type AddDraft, type AddPlan, planServer } from "./addServerDraft.ts";
import { addServerSteps } from "./addServerSteps.ts";
import { type ImportPlan, planImport } from "./planImport.ts";
import type { Handlers, NewServer } from "./table.ts";

/** Add Server…: from a command, an address, or the JSON of another client. */
export function addServerCommand(
  services: HostServices,
  config: ConfigWatcher,
  tree: ServersTree,
): Handlers<"signalbox.addServer"> {
  async function write(plan: AddPlan, place: ConfigPlace): Promise<readonly string[]> {
    // Secrets first: an entry whose secret is missing would fail when it starts by itself.
    for (const [name, value] of Object.entries(plan.secrets)) await services.secrets.set(name, value);
    await addInputs(place, plan.inputs ?? []);
    await writeEntries(services.context, place, plan.entries);
    await config.reload();
    return Object.keys(plan.entries);
  }

  async function addFromQuestions(): Promise<readonly string[] | undefined> {
    const isTaken = (name: string): boolean => services.pool.get(name) !== undefined;
    const readPasted = (text: string): ImportPlan =>
      planImport(text, { isServer: isTaken, secrets: services.secrets.names() }, translate);
    const steps = addServerSteps({ isTaken, readPasted });
    const draft = await runFlow<AddDraft>(steps, {});
    if (draft?.place === undefined) return undefined;
    const plan = draft.kind === "json" ? planOf(readPasted(draft.json ?? "")) : planServer(draft);
    if (plan === undefined) return undefined;
    const names = await write(plan, draft.place);
    // Not awaited: the offer may stay open for as long as it likes.
    void finishAdding(names, plan, tree);
    return names;
  }

  return {
    async "signalbox.addServer"(server) {
      if (!isNewServer(server)) return addFromQuestions();
      const place: ConfigPlace = { source: server.target ?? "user" };
      // Silently replacing what somebody wrote would lose it.
      if (hasEntry(place, server.name)) throw new NameTaken(server.name);
      return write({ entries: { [server.name]: server.definition }, secrets: {} }, place);
    },
  };
}

const NAME_TAKEN: MessageTemplate = { message: "There is already a server “{server}” in these settings." };

class NameTaken extends CodedError<"name-taken"> {
  constructor(server: string) {
    super("name-taken", NAME_TAKEN, { server });
  }
}

function isNewServer(argument: unknown): argument is NewServer {
  if (typeof argument !== "object" || argument === null) return false;
  if (!("name" in argument) || !("definition" in argument)) return false;
  return typeof argument.name === "string" && typeof argument.definition === "object";
}

function planOf(result: ImportPlan): AddPlan | undefined {
  return result.kind === "plan" ? result.plan : undefined;
}

/** Asks for the secrets that the text left open, then offers to connect. */
async function finishAdding(names: readonly string[], plan: AddPlan, tree: ServersTree): Promise<void> {
  const { l10n } = vscode;
  const [first] = names;
  if (first === undefined) return;
  for (const secret of plan.missingSecrets ?? [])
    await vscode.commands.executeCommand("signalbox.setSecret", secret);
  const connect = names.length === 1 ? l10n.t("Connect") : l10n.t("Connect All");
  const message =
    names.length === 1
      ? l10n.t("The server “{server}” was added.", { server: first })
      : l10n.t("{count} servers were added: {servers}", { count: names.length, servers: names.join(", ") });
  const text = [message, ...(plan.notes ?? [])].join(" ");
  if ((await vscode.window.showInformationMessage(withoutLinks(text), connect)) !== connect) return;
  await vscode.commands.executeCommand("signalbox.servers.focus");
  await Promise.all(names.map((name) => vscode.commands.executeCommand("signalbox.connect", name)));
  await tree.reveal(first);
}
