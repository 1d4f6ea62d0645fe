import type { ServerEntry } from "../../client/serverPool.ts";
import type { ListedSkill } from "../../client/skills/skillShelf.ts";
import { skillRoot } from "../../protocol/skills/skillPath.ts";

/** A skill of a configured server: only both together name one. */
export interface SkillAddress {
  readonly serverId: string;
  /** The URI of its SKILL.md. */
  readonly skill: string;
  /** The URI of one of its files, or its path; left out, SKILL.md. */
  readonly file?: string | undefined;
}

/** The skills that a server lists; none while it is not connected, or where they are not switched on. */
export function skillsOf(entry: ServerEntry | undefined): readonly ListedSkill[] {
  const list = entry?.state.kind === "connected" ? entry.state.lists.skills : undefined;
  return list?.kind === "listed" ? list.items : [];
}

/** Whether a connected server has skills that are switched on, listed or not. */
export function hasSkills({ state }: ServerEntry): boolean {
  return state.kind === "connected" && state.lists.skills.kind !== "absent";
}

/**
 * The listed skill to which a resource belongs, the innermost where skills are nested; undefined when it belongs to
 * none. Such a resource goes to a model only as a verified file of the skill.
 */
export function skillOfResource(entry: ServerEntry | undefined, uri: string): SkillAddress | undefined {
  if (entry === undefined) return undefined;
  let found: { readonly skill: string; readonly root: string } | undefined;
  for (const { skill } of skillsOf(entry)) {
    const root = skillRoot(skill.uri) ?? skill.uri;
    const isInside = uri === skill.uri || uri.startsWith(`${root}/`);
    if (isInside && root.length > (found?.root.length ?? 0)) found = { skill: skill.uri, root };
  }
  return found === undefined ? undefined : { serverId: entry.id, skill: found.skill, file: uri };
}
