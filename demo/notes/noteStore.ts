/** One note of the team. */
export interface Note {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  archived: boolean;
}

/** The notes, in memory. */
export interface NoteStore {
  all(): readonly Note[];
  get(id: number): Note | undefined;
  add(title: string, text: string, tags: readonly string[]): Note;
  /** Notes whose title, text or tags contain the words, whatever their case. */
  find(query: string): readonly Note[];
  remove(id: number): boolean;
}

/** A store with three notes to begin with. */
export function createNoteStore(): NoteStore {
  const notes = new Map<number, Note>();
  let lastId = 0;
  const add: NoteStore["add"] = (title, text, tags) => {
    lastId += 1;
    const note = { id: lastId, title, text, tags, archived: false };
    notes.set(note.id, note);
    return note;
  };
  add("Release checklist", "Change log, version, tag, announcement.", ["release"]);
  add("Stand-up", "Every day at 9:30, fifteen minutes.", ["meeting"]);
  add("Database naming", "Lower case, dashes, the team's name first.", ["convention", "database"]);
  return {
    all: () => [...notes.values()],
    get: (id) => notes.get(id),
    add,
    find(query) {
      const wanted = query.toLowerCase();
      return [...notes.values()].filter(({ title, text, tags }) =>
        [title, text, ...tags].some((part) => part.toLowerCase().includes(wanted)),
      );
    },
    remove: (id) => notes.delete(id),
  };
}
