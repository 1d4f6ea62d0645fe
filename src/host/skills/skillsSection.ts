import type { ListedSkill, SkillStanding } from "../../client/skills/skillShelf.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { SkillFile } from "../../protocol/model/skill.ts";
import type { Translate } from "../../shared/translate.ts";
import { formatBytes } from "../formatBytes.ts";
import { oneLine } from "../serverText.ts";
import {
  nodeId,
  type SkillFileNode,
  type SkillNode,
  type TooltipLine,
  type TreeContext,
} from "../views/nodes.ts";
import { childrenOfList, headingOfList, type Section } from "../views/sections/section.ts";
import { skillsOf } from "./skillsOf.ts";

export const skillsSection: Section = {
  id: "skills",
  heading: ({ lists }, t) => headingOfList(lists.skills, { label: t("Skills"), icon: "mortar-board" }),
  children: (entry, { lists }, context) =>
    childrenOfList(
      entry.id,
      "skills",
      lists.skills,
      {
        empty: context.t("This server lists no skills."),
        key: ({ skill }) => skill.uri,
        node: (listed) => skillNode(entry.id, listed, context),
      },
      context,
    ),
};

/** The files of a skill beside its SKILL.md, which a click on the skill itself opens. */
export function childrenOfSkill(
  { serverId, skill: uri }: SkillNode,
  entry: ServerEntry | undefined,
  { t }: TreeContext,
): readonly SkillFileNode[] {
  const listed = skillsOf(entry).find(({ skill }) => skill.uri === uri);
  return (listed?.skill.files ?? [])
    .filter((file) => file.uri !== uri)
    .map((file) => fileNode(serverId, uri, listed?.skill.name ?? "", file, t));
}

function skillNode(serverId: string, { skill, standing }: ListedSkill, context: TreeContext): SkillNode {
  const { t, describe } = context;
  const label = oneLine(skill.name);
  const { word, icon } = lookOf(standing, t);
  const about = oneLine(skill.description);
  const description = about === "" ? word : `${word} · ${about}`;
  const tooltip: TooltipLine[] = [
    { style: "title", text: label },
    { style: "text", text: word },
    ...(standing.kind === "refused" ? problemLines(describe(standing.problem)) : []),
    { style: "fact", name: t("Address"), text: oneLine(skill.uri, 1_000) },
    ...(skill.files.length === 0
      ? []
      : [{ style: "fact", name: t("Files"), text: String(skill.files.length) } as const]),
    { style: "quote", text: skill.description },
  ];
  const spoken = t("Skill {label} of server {server}", { label, server: serverId });
  return {
    kind: "skill",
    serverId,
    skill: skill.uri,
    skillName: skill.name,
    item: {
      id: nodeId(serverId, "skill", skill.uri),
      label,
      description,
      icon,
      contextValue: standing.kind === "refused" ? "skill.refused" : "skill",
      tooltip,
      accessibleLabel: `${spoken}, ${description}`,
      children: skill.files.length > 1 ? "collapsed" : "none",
      click: "readSkill",
    },
  };
}

/** What is known of a skill, as a word and an icon. */
function lookOf(
  standing: SkillStanding,
  t: Translate,
): { readonly word: string; readonly icon: { readonly id: string; readonly color?: string } } {
  switch (standing.kind) {
    case "unread":
      return { word: t("not read yet"), icon: { id: "mortar-board" } };
    case "verified":
      return { word: t("verified"), icon: { id: "verified", color: "testing.iconPassed" } };
    case "refused":
      return { word: t("refused"), icon: { id: "error", color: "problemsErrorIcon.foreground" } };
  }
}

function problemLines({
  message,
  remedy,
}: {
  readonly message: string;
  readonly remedy?: string;
}): readonly TooltipLine[] {
  return [
    { style: "text", text: message },
    ...(remedy === undefined ? [] : [{ style: "text", text: remedy } as const]),
  ];
}

function fileNode(
  serverId: string,
  skill: string,
  skillName: string,
  { uri, path, size }: SkillFile,
  t: Translate,
): SkillFileNode {
  const label = oneLine(path);
  const bytes = formatBytes(size, t);
  return {
    kind: "skillFile",
    serverId,
    skill,
    file: uri,
    item: {
      id: nodeId(serverId, "skill", skill, uri),
      label,
      description: bytes,
      icon: { id: "file" },
      contextValue: "skillFile",
      tooltip: [
        { style: "title", text: label },
        { style: "fact", name: t("Address"), text: oneLine(uri, 1_000) },
        { style: "text", text: t("It is verified when it is opened.") },
      ],
      accessibleLabel: t("File {label} of the skill {skill} of server {server}, {size}", {
        label,
        skill: oneLine(skillName),
        server: serverId,
        size: bytes,
      }),
      children: "none",
      click: "readSkill",
    },
  };
}
