import * as vscode from "vscode";
import { ClientError } from "../../client/clientError.ts";
import type { CacheNote } from "../../protocol/model/cached.ts";
import type { Resource, ResourceContents } from "../../protocol/model/resource.ts";
import { formatBytes } from "../formatBytes.ts";
import { withLateProgress } from "../lateProgress.ts";
import { resourcesOf } from "../listsOf.ts";
import { askChoice } from "../quickInput/ask.ts";
import { BACK } from "../quickInput/runFlow.ts";
import { oneLine, pickLabel, withoutLinks } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { fetchSkill } from "../skills/fetchSkill.ts";
import { skillOfResource } from "../skills/skillsOf.ts";
import { translate } from "../wording.ts";
import { contentBytes } from "./contentBytes.ts";
import { fileNameOf } from "./fileNameOf.ts";
import type { ResourceAddress } from "./resourceAddress.ts";
import type { KeptContent, ResourceFiles } from "./resourceFiles.ts";

/** A resource that a person asks for. */
export interface WantedResource {
  readonly serverId: string;
  readonly uri: string;
}

/** One content of a resource, read and kept for the editor. */
export interface FetchedResource {
  readonly address: ResourceAddress;
  readonly kept: KeptContent;
  readonly fileName: string;
}

/** What a person is asked about before it is fetched. The size is the server's claim. */
const ASK_ABOVE_BYTES = 10 * 1024 * 1024;

/**
 * Reads a resource for a person: with a question before what is said to be large, a way to cancel, and a choice when
 * there are several contents. Undefined when the person chose nothing or the resource is empty.
 */
export async function fetchResource(
  services: Pick<HostServices, "pool">,
  files: ResourceFiles,
  { serverId, uri }: WantedResource,
): Promise<FetchedResource | undefined> {
  const entry = services.pool.get(serverId);
  if (entry === undefined) throw new ClientError("no-such-server", { server: serverId });
  // Whatever belongs to a skill is shown only when it is what the skill announces.
  const skill = skillOfResource(entry, uri);
  if (skill !== undefined) return fetchSkill(services, files, skill);
  const listed = resourcesOf(entry).find((resource) => resource.uri === uri);
  const label = oneLine(listed?.displayName ?? uri, 80);
  if (!(await mayFetch(label, listed?.size))) return undefined;
  const title = vscode.l10n.t("Reading {resource} from {server}…", { resource: label, server: serverId });
  const { result, fromCache } = await withLateProgress(title, (signal) =>
    services.pool.readResource(serverId, uri, { origin: "panel", signal }),
  );
  if (fromCache !== undefined) tellOfCopy(label, fromCache);
  const part = await choosePart(result.contents, label);
  const contents = part === undefined ? undefined : result.contents[part];
  if (part === undefined || contents === undefined) return undefined;
  const address = { serverId, uri, part };
  return {
    address,
    kept: files.keep(address, contents),
    fileName: nameContents(contents, listed),
  };
}

/** One of several contents goes by its own URI, a resource as a whole by its name in the list. */
function nameContents(contents: ResourceContents, listed: Resource | undefined): string {
  const known = contents.uri === listed?.uri ? listed : undefined;
  return fileNameOf({
    uri: contents.uri,
    displayName: known?.displayName,
    mimeType: contents.mimeType ?? known?.mimeType,
  });
}

function tellOfCopy(resource: string, { ageMs, isStale }: CacheNote): void {
  const seconds = Math.round(ageMs / 1_000);
  if (isStale) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t("The server cannot be reached. This is a copy of “{resource}” of {seconds} s ago.", {
        resource: withoutLinks(resource),
        seconds,
      }),
    );
    return;
  }
  const words = vscode.l10n.t(
    "“{resource}”: a copy of {seconds} s ago, which its server says is still good",
    {
      resource,
      seconds,
    },
  );
  void vscode.window.setStatusBarMessage(words, 8_000);
}

async function mayFetch(resource: string, size: number | undefined): Promise<boolean> {
  if (size === undefined || size <= ASK_ABOVE_BYTES) return true;
  const read = vscode.l10n.t("Read");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("“{resource}” has {size}, its server says. Read it?", {
      resource,
      size: formatBytes(size, translate),
    }),
    { modal: true },
    read,
  );
  return chosen === read;
}

async function choosePart(
  contents: readonly ResourceContents[],
  resource: string,
): Promise<number | undefined> {
  if (contents.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("“{resource}” is empty.", { resource: withoutLinks(resource) }),
    );
    return undefined;
  }
  if (contents.length === 1) return 0;
  const chosen = await askChoice({
    title: vscode.l10n.t("“{resource}” has {count} contents", { resource, count: contents.length }),
    placeholder: vscode.l10n.t("Choose one"),
    items: contents.map((each, index) => ({
      label: pickLabel(fileNameOf({ uri: each.uri, mimeType: each.mimeType })),
      description: pickLabel(
        [each.mimeType, formatBytes(contentBytes(each).length, translate)]
          .filter((fact) => fact !== undefined)
          .join(" · "),
      ),
      detail: pickLabel(each.uri),
      value: index,
    })),
  });
  return chosen === BACK ? undefined : chosen;
}
