import * as vscode from "vscode";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { ListedSkill } from "../../client/skills/skillShelf.ts";
import { openChat } from "../chat/openChat.ts";
import { chooseListed, textOf } from "../commands/chooseListed.ts";
import { serverIdOf } from "../commands/chooseServer.ts";
import type { Handlers } from "../commands/table.ts";
import type { Choice } from "../quickInput/ask.ts";
import { type ResourceParts, showFetched } from "../resources/openResource.ts";
import { toAddressParts } from "../resources/resourceAddress.ts";
import { pickLabel } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { fetchSkill } from "./fetchSkill.ts";
import { type SkillAddress, skillsOf } from "./skillsOf.ts";

type SkillCommand = "signalbox.readSkill" | "signalbox.attachSkill" | "signalbox.copySkillName";

/** Everything that is done with one skill. */
export function skillCommands(services: HostServices, parts: ResourceParts): Handlers<SkillCommand> {
  const choose = (title: string, argument: unknown, uri: unknown): Promise<SkillAddress | undefined> =>
    chooseSkill(services, title, argument, uri);
  return {
    async "signalbox.readSkill"(skill, uri, file) {
      const wanted = await choose(vscode.l10n.t("Read Skill"), skill, uri);
      if (wanted === undefined) return undefined;
      const path = textOf(skill, "file", file);
      const fetched = await fetchSkill(services, parts.files, { ...wanted, file: path });
      return (await showFetched(parts, fetched))?.toString();
    },

    async "signalbox.attachSkill"(skill, uri) {
      const wanted = await choose(vscode.l10n.t("Give Skill to Chat"), skill, uri);
      return wanted === undefined ? undefined : attachSkill(services, parts, wanted);
    },

    async "signalbox.copySkillName"(skill, uri) {
      const wanted = await choose(vscode.l10n.t("Copy Skill Name"), skill, uri);
      if (wanted === undefined) return undefined;
      const listed = skillsOf(services.pool.get(wanted.serverId)).find(
        (each) => each.skill.uri === wanted.skill,
      );
      const name = listed?.skill.name ?? wanted.skill;
      await vscode.env.clipboard.writeText(name);
      return name;
    },
  };
}

/** Attaches a verified file of a skill to a draft that says whose it is; the person sends it. */
export async function attachSkill(
  services: Pick<HostServices, "pool">,
  parts: Pick<ResourceParts, "files">,
  wanted: SkillAddress,
): Promise<string | undefined> {
  const { address, fileName } = await fetchSkill(services, parts.files, wanted);
  const file = vscode.Uri.from(toAddressParts(address, fileName));
  const text = vscode.l10n.t(
    "The attached {file} is a skill of the MCP server “{server}”, not one of mine.",
    {
      file: fileName,
      server: wanted.serverId,
    },
  );
  return (await openChat({ file, text: `${text} ` })) ? file.toString() : undefined;
}

async function chooseSkill(
  services: HostServices,
  title: string,
  argument: unknown,
  uri: unknown,
): Promise<SkillAddress | undefined> {
  const serverId = serverIdOf(argument);
  const named = textOf(argument, "skill", uri);
  if (serverId !== undefined && named !== undefined) return { serverId, skill: named };
  return chooseListed(services, serverId, {
    title,
    placeholder: vscode.l10n.t("Choose a skill"),
    nothing: vscode.l10n.t(
      "The connected servers list no skills. They are asked for where the setting “skills” is on.",
    ),
    items: (entry) => skillsOf(entry).map((listed) => skillItem(entry, listed)),
  });
}

function skillItem(entry: ServerEntry, { skill, standing }: ListedSkill): Choice<SkillAddress> {
  const refused = standing.kind === "refused" ? [vscode.l10n.t("refused")] : [];
  return {
    label: pickLabel(skill.name),
    description: pickLabel([...refused, entry.id].join(" · ")),
    detail: pickLabel(skill.description === "" ? skill.uri : `${skill.uri} — ${skill.description}`),
    value: { serverId: entry.id, skill: skill.uri },
  };
}
