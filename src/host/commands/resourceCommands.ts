import * as vscode from "vscode";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { Resource } from "../../protocol/model/resource.ts";
import { openChat } from "../chat/openChat.ts";
import { withLateProgress } from "../lateProgress.ts";
import { hasResources, resourcesOf } from "../listsOf.ts";
import { askText, type Choice } from "../quickInput/ask.ts";
import { BACK } from "../quickInput/runFlow.ts";
import { fetchResource, type FetchedResource, type WantedResource } from "../resources/fetchResource.ts";
import { openResource, type ResourceParts, saveFetched } from "../resources/openResource.ts";
import { readAddress, toAddressParts } from "../resources/resourceAddress.ts";
import { uriOfTab } from "../resources/openTabs.ts";
import { oneLine, pickLabel } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { attachSkill } from "../skills/skillCommands.ts";
import { skillOfResource } from "../skills/skillsOf.ts";
import { chooseListed, textOf } from "./chooseListed.ts";
import { chooseServer, serverIdOf } from "./chooseServer.ts";
import type { Handlers } from "./table.ts";

type ResourceCommand =
  | "signalbox.readResource"
  | "signalbox.readResourceUri"
  | "signalbox.saveResource"
  | "signalbox.watchResource"
  | "signalbox.unwatchResource"
  | "signalbox.copyResourceUri"
  | "signalbox.attachResource";

/** Everything that is done with one resource. */
export function resourceCommands(services: HostServices, parts: ResourceParts): Handlers<ResourceCommand> {
  const meant = async (title: string, argument: unknown, uri: unknown): Promise<WantedResource | undefined> =>
    meantBy(argument, uri) ?? chooseResource(services, title, argument, uri);
  return {
    async "signalbox.readResource"(resource, uri) {
      const wanted = await chooseResource(services, vscode.l10n.t("Read Resource"), resource, uri);
      return wanted === undefined ? undefined : (await openResource(parts, wanted))?.toString();
    },

    async "signalbox.readResourceUri"(server) {
      const wanted = await askForUri(services, server);
      return wanted === undefined ? undefined : (await openResource(parts, wanted))?.toString();
    },

    async "signalbox.saveResource"(resource, uri) {
      const fetched = await fetchMeant(services, parts, vscode.l10n.t("Save Resource As"), resource, uri);
      return fetched === undefined ? undefined : (await saveFetched(fetched))?.toString();
    },

    async "signalbox.watchResource"(resource, uri) {
      const wanted = await meant(vscode.l10n.t("Watch Resource for Changes"), resource, uri);
      if (wanted === undefined) return undefined;
      const title = vscode.l10n.t("Asking {server} to tell of changes…", { server: wanted.serverId });
      await withLateProgress(title, (signal) => parts.watched.watch(wanted.serverId, wanted.uri, signal));
      return wanted.uri;
    },

    async "signalbox.unwatchResource"(resource, uri) {
      const wanted = await meant(vscode.l10n.t("Stop Watching Resource"), resource, uri);
      if (wanted === undefined) return undefined;
      const was = parts.watched.unwatch(wanted.serverId, wanted.uri);
      if (!was) void vscode.window.showInformationMessage(vscode.l10n.t("This resource was not watched."));
      return was ? wanted.uri : undefined;
    },

    async "signalbox.copyResourceUri"(resource, uri) {
      const wanted = await meant(vscode.l10n.t("Copy Resource URI"), resource, uri);
      if (wanted === undefined) return undefined;
      await vscode.env.clipboard.writeText(wanted.uri);
      return wanted.uri;
    },

    async "signalbox.attachResource"(resource, uri) {
      const named = meantBy(resource, uri);
      const skill =
        named === undefined ? undefined : skillOfResource(services.pool.get(named.serverId), named.uri);
      if (skill !== undefined) return attachSkill(services, parts, skill);
      const fetched = await fetchMeant(
        services,
        parts,
        vscode.l10n.t("Attach Resource to Chat"),
        resource,
        uri,
      );
      if (fetched === undefined) return undefined;
      const file = vscode.Uri.from(toAddressParts(fetched.address, fetched.fileName));
      return (await openChat({ file })) ? file.toString() : undefined;
    },
  };
}

/** The resource that the argument names, or that the editor in front shows. */
function meantBy(argument: unknown, uri: unknown): WantedResource | undefined {
  const named = namedBy(argument, uri);
  if (named !== undefined || argument !== undefined) return named;
  const file = frontFile();
  return file === undefined ? undefined : readAddress(file);
}

function namedBy(argument: unknown, uri: unknown): WantedResource | undefined {
  if (argument instanceof vscode.Uri) return readAddress(argument);
  const serverId = serverIdOf(argument);
  const named = textOf(argument, "uri", uri);
  return serverId === undefined || named === undefined ? undefined : { serverId, uri: named };
}

function frontFile(): vscode.Uri | undefined {
  return uriOfTab(vscode.window.tabGroups.activeTabGroup.activeTab);
}

async function chooseResource(
  services: HostServices,
  title: string,
  argument: unknown,
  uri: unknown,
): Promise<WantedResource | undefined> {
  return (
    namedBy(argument, uri) ??
    chooseListed(services, serverIdOf(argument), {
      title,
      placeholder: vscode.l10n.t("Choose a resource"),
      nothing: vscode.l10n.t("The connected servers list no resources."),
      items: (entry) => resourcesOf(entry).map((resource) => resourceItem(entry, resource)),
    })
  );
}

/** The content of the resource that is meant: as it was read when a document shows it, else read now. */
async function fetchMeant(
  services: HostServices,
  parts: ResourceParts,
  title: string,
  argument: unknown,
  uri: unknown,
): Promise<FetchedResource | undefined> {
  const file = argument instanceof vscode.Uri ? argument : argument === undefined ? frontFile() : undefined;
  const address = file === undefined ? undefined : readAddress(file);
  if (file !== undefined && address !== undefined) {
    return { address, kept: await parts.files.load(address), fileName: file.path.slice(1) };
  }
  const wanted = await chooseResource(services, title, argument, uri);
  return wanted === undefined ? undefined : fetchResource(services, parts.files, wanted);
}

async function askForUri(services: HostServices, server: unknown): Promise<WantedResource | undefined> {
  const title = vscode.l10n.t("Read Resource by URI");
  const offering = services.pool.servers().filter(hasResources);
  const [only] = offering;
  const entry =
    serverIdOf(server) === undefined && offering.length === 1
      ? only
      : await chooseServer(services, server, {
          title,
          fits: hasResources,
          nothing: vscode.l10n.t("No connected server has resources."),
        });
  if (entry === undefined) return undefined;
  const uri = await askText({
    title,
    prompt: vscode.l10n.t(
      "The URI of a resource of {server}. It is sent to the server and not opened here.",
      {
        server: entry.id,
      },
    ),
    placeholder: resourcesOf(entry)[0]?.uri ?? "docs://guide",
    validate: (value) =>
      /^[A-Za-z][A-Za-z0-9+.-]*:./.test(value.trim())
        ? undefined
        : vscode.l10n.t("A URI begins with a scheme and a colon, as in docs://guide."),
  });
  return uri === undefined || uri === BACK ? undefined : { serverId: entry.id, uri: uri.trim() };
}

function resourceItem(entry: ServerEntry, resource: Resource): Choice<WantedResource> {
  const { displayName, uri, mimeType, description } = resource;
  return {
    label: pickLabel(displayName),
    description: pickLabel([mimeType, entry.id].filter((fact) => fact !== undefined).join(" · ")),
    detail: pickLabel(description === undefined ? uri : `${uri} — ${oneLine(description, 120)}`),
    value: { serverId: entry.id, uri },
  };
}
