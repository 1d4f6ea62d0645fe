import { canonicalJson } from "../../base/json.ts";
import type { ListState } from "../serverState.ts";
import type { CallOptions, Connection } from "../../protocol/connection.ts";
import { EngineError } from "../../protocol/engineError.ts";
import type { Skill, SkillFile } from "../../protocol/model/skill.ts";
import { shorten } from "../../protocol/shorten.ts";
import { flawOf } from "../../protocol/skills/flawOf.ts";
import { getSkill, requireSkills } from "../../protocol/skills/listSkills.ts";
import { readSkillFile, SKILL_REFUSALS, type SkillAnswer } from "../../protocol/skills/readSkillFile.ts";
import { announcesSkills } from "../../protocol/skills/skillsExtension.ts";
import { resolveReference, SKILL_FILE, skillRoot } from "../../protocol/skills/skillPath.ts";

/** Which file of which skill is wanted. */
export interface WantedSkill {
  /** The URI of its SKILL.md, or its name where no other skill of the server has it. */
  readonly skill: string;
  /** A path below the folder of the skill, or the URI of a file; left out, SKILL.md. */
  readonly file?: string | undefined;
}

/** What is known of a skill beside its entry. */
export type SkillStanding =
  /** Nothing of it was read: that is done when somebody wants it. */
  | { readonly kind: "unread" }
  /** Its SKILL.md was what the entry announces. */
  | { readonly kind: "verified" }
  /** It was not, and nothing more of it is read until the list is. */
  | { readonly kind: "refused"; readonly problem: EngineError };

/** A skill of the list with its standing. */
export interface ListedSkill {
  readonly skill: Skill;
  readonly standing: SkillStanding;
}

/** Skills that are held at a time; the one that was loaded first is forgotten, and verified anew when it is wanted. */
const MAX_HELD = 256;
const UNREAD: SkillStanding = { kind: "unread" };

export interface SkillShelfOptions {
  readonly connection: Connection;
  /** Whether the settings switch skills on. */
  readonly isOn: boolean;
  /** Told when the standing of a skill changed. */
  readonly onDidChange: () => void;
}

/**
 * The skills of one connection: those that are listed, and those that were loaded, each with the entry that it was
 * loaded by. Files are read when somebody asks for them, one by one, and only as that entry lists them.
 */
export class SkillShelf {
  readonly #options: SkillShelfOptions;
  readonly #connection: Connection;
  #list: ListState<Skill>;
  #listed: ReadonlyMap<string, Skill> = new Map();
  /** The entry by which a SKILL.md was last loaded, by URI. */
  readonly #held = new Map<string, Skill>();
  readonly #refused = new Map<string, { readonly entry: string; readonly problem: EngineError }>();

  constructor(options: SkillShelfOptions) {
    this.#options = options;
    this.#connection = options.connection;
    const isThere = options.isOn && announcesSkills(options.connection.negotiation.capabilities);
    this.#list = { kind: isThere ? "unread" : "absent" };
  }

  /** The list with the standing of each skill. */
  get list(): ListState<ListedSkill> {
    if (this.#list.kind !== "listed") return this.#list;
    const items = this.#list.items.map((skill) => ({ skill, standing: this.#standingOf(skill) }));
    return { ...this.#list, items };
  }

  /** Takes a list that was just read, or what came of that. What was refused may be tried again. */
  adopt(list: ListState<Skill>): void {
    this.#list = list;
    if (list.kind !== "listed") return;
    this.#listed = new Map(list.items.map((skill) => [skill.uri, skill]));
    this.#refused.clear();
  }

  /**
   * Reads a file of a skill and gives it only when it is verified. A skill is loaded by its SKILL.md, so that is read
   * and verified first, whichever file is wanted. What was refused is refused again without a request.
   *
   * @throws EngineError `skills-off`, `not-announced`, `no-such-skill`, `ambiguous-skill`, `no-such-skill-file`, those of `flawOf`, and as
   *   `readSkillFile` does
   */
  async read(wanted: WantedSkill, options: CallOptions): Promise<SkillAnswer> {
    const server = this.#connection.serverName;
    if (!this.#options.isOn) throw new EngineError("skills-off", { server });
    requireSkills(this.#connection, "resources/read");
    const { skill, isHeld } = await this.#find(wanted, options);
    const flaw = flawOf(skill, server);
    if (flaw !== undefined) throw flaw;
    const file = this.#fileOf(skill, wanted.file);
    if (isHeld) return this.#readFile(skill, file, options);
    const main = await this.#load(skill, options);
    return file.uri === skill.uri ? main : this.#readFile(skill, file, options);
  }

  /** Reads SKILL.md; from then on the skill's files are those of this entry. */
  async #load(skill: Skill, options: CallOptions): Promise<SkillAnswer> {
    const answer = await this.#readFile(skill, this.#fileOf(skill, undefined), options);
    this.#held.delete(skill.uri);
    this.#held.set(skill.uri, skill);
    const oldest = this.#held.keys().next();
    if (this.#held.size > MAX_HELD && oldest.done !== true) this.#held.delete(oldest.value);
    this.#options.onDidChange();
    return answer;
  }

  async #readFile(skill: Skill, file: SkillFile, options: CallOptions): Promise<SkillAnswer> {
    const refusal = this.#refusalOf(skill);
    if (refusal !== undefined) throw refusal;
    try {
      return await readSkillFile(this.#connection, skill, file, options);
    } catch (error) {
      if (error instanceof EngineError && SKILL_REFUSALS.has(error.code)) {
        this.#refused.set(skill.uri, { entry: identityOf(skill), problem: error });
        this.#held.delete(skill.uri);
        this.#options.onDidChange();
      }
      throw error;
    }
  }

  /** The entry to read by: that of the loaded skill for its other files, the newest for its SKILL.md. */
  async #find(
    { skill: name, file }: WantedSkill,
    options: CallOptions,
  ): Promise<{ readonly skill: Skill; readonly isHeld: boolean }> {
    const uri = this.#uriOf(name);
    const held = this.#held.get(uri);
    const isMain = file === undefined || file === SKILL_FILE || file === uri;
    if (held !== undefined && !isMain) return { skill: held, isHeld: true };
    const listed = this.#listed.get(uri) ?? (await getSkill(this.#connection, uri, options));
    return { skill: listed, isHeld: false };
  }

  #uriOf(name: string): string {
    if (this.#listed.has(name) || this.#held.has(name)) return name;
    const known = new Map([...this.#held, ...this.#listed]);
    const named = [...known.values()].filter((skill) => skill.name === name).map(({ uri }) => uri);
    const [uri, ...others] = named;
    const what = { server: this.#connection.serverName, skill: shorten(name) };
    if (others.length > 0)
      throw new EngineError("ambiguous-skill", { ...what, uris: shorten(named.join(", "), 1_000) });
    if (uri !== undefined) return uri;
    // The list need not be complete: a skill that is not in it can be asked for by its URI.
    if (skillRoot(name) !== undefined) return name;
    throw new EngineError("no-such-skill", what);
  }

  #fileOf(skill: Skill, wanted: string = SKILL_FILE): SkillFile {
    const path = resolveReference(wanted);
    const file = skill.files.find((each) => each.uri === wanted || each.path === path);
    if (file !== undefined) return file;
    throw new EngineError("no-such-skill-file", {
      server: this.#connection.serverName,
      skill: shorten(skill.name),
      file: shorten(wanted),
    });
  }

  #refusalOf(skill: Skill): EngineError | undefined {
    const refusal = this.#refused.get(skill.uri);
    if (refusal === undefined) return undefined;
    return refusal.entry === identityOf(skill) ? refusal.problem : undefined;
  }

  #standingOf(skill: Skill): SkillStanding {
    const problem = flawOf(skill, this.#connection.serverName) ?? this.#refusalOf(skill);
    if (problem !== undefined) return { kind: "refused", problem };
    const held = this.#held.get(skill.uri);
    return held !== undefined && identityOf(held) === identityOf(skill) ? { kind: "verified" } : UNREAD;
  }
}

/** Everything that an entry says of its skill: another set of files is another skill to whoever allowed this one. */
export function identityOf({ uri, raw }: Skill): string {
  return canonicalJson([uri, raw]);
}
