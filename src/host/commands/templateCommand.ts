import * as vscode from "vscode";
import { ClientError } from "../../client/clientError.ts";
import { EngineError } from "../../protocol/engineError.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { ResourceTemplate } from "../../protocol/model/resource.ts";
import { expandUriTemplate, readUriTemplate } from "../../protocol/resources/uriTemplate.ts";
import { templatesOf } from "../listsOf.ts";
import type { Choice } from "../quickInput/ask.ts";
import { askArguments } from "../quickInput/askArguments.ts";
import { openResource, type ResourceParts } from "../resources/openResource.ts";
import { optionalVariables, toTemplateValues } from "../resources/templateVariables.ts";
import { oneLine, pickLabel } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { chooseListed, textOf } from "./chooseListed.ts";
import { serverIdOf } from "./chooseServer.ts";
import { textsOf } from "./textsOf.ts";
import type { Handlers } from "./table.ts";

interface NamedTemplate {
  readonly serverId: string;
  readonly uriTemplate: string;
}

/** Open Resource Template…: asks for the values, then reads the resource that they name. */
export function templateCommand(
  services: HostServices,
  parts: ResourceParts,
): Handlers<"signalbox.openTemplate"> {
  return {
    async "signalbox.openTemplate"(template, uriTemplate, values) {
      const chosen = await chooseTemplate(services, template, uriTemplate);
      if (chosen === undefined) return undefined;
      const uri = await fillIn(services, chosen, textsOf(values));
      if (uri === undefined) return undefined;
      return (await openResource(parts, { serverId: chosen.serverId, uri }))?.toString();
    },
  };
}

async function chooseTemplate(
  services: HostServices,
  argument: unknown,
  uriTemplate: unknown,
): Promise<NamedTemplate | undefined> {
  const serverId = serverIdOf(argument);
  const named = textOf(argument, "uriTemplate", uriTemplate);
  if (serverId !== undefined && named !== undefined) return { serverId, uriTemplate: named };
  return chooseListed(services, serverId, {
    title: vscode.l10n.t("Open Resource Template"),
    placeholder: vscode.l10n.t("Choose a template"),
    nothing: vscode.l10n.t("The connected servers list no templates."),
    items: (entry) => templatesOf(entry).map((template) => templateItem(entry, template)),
  });
}

/** The URI that a template becomes; undefined when the person left the questions. */
async function fillIn(
  services: HostServices,
  { serverId, uriTemplate }: NamedTemplate,
  given: Readonly<Record<string, string>> | undefined,
): Promise<string | undefined> {
  const entry = services.pool.get(serverId);
  if (entry === undefined) throw new ClientError("no-such-server", { server: serverId });
  const read = readUriTemplate(uriTemplate);
  if (read.kind === "broken") {
    const { reason } = read;
    throw new EngineError("broken-template", { server: serverId, template: oneLine(uriTemplate), reason });
  }
  const optional = optionalVariables(uriTemplate);
  const listed = templatesOf(entry).find((template) => template.uriTemplate === uriTemplate);
  const typed =
    given ??
    (await askArguments(services.pool, entry, {
      title: oneLine(listed?.displayName ?? uriTemplate, 80),
      target: { kind: "resource", uri: uriTemplate },
      wanted: read.variables.map(({ name, explode }) => ({
        name,
        displayName: name,
        description: explode
          ? vscode.l10n.t("{template}: {name}, several with commas between", { template: uriTemplate, name })
          : `${uriTemplate}: ${name}`,
        required: !optional.has(name),
      })),
    }));
  if (typed === undefined) return undefined;
  return expandUriTemplate(serverId, uriTemplate, toTemplateValues(read.variables, typed));
}

function templateItem(entry: ServerEntry, template: ResourceTemplate): Choice<NamedTemplate> {
  const { displayName, uriTemplate, description } = template;
  return {
    label: pickLabel(displayName),
    description: pickLabel(entry.id),
    detail: pickLabel(
      description === undefined ? uriTemplate : `${uriTemplate} — ${oneLine(description, 120)}`,
    ),
    value: { serverId: entry.id, uriTemplate },
  };
}
