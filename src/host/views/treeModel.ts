import type { ServerEntry } from "../../client/serverPool.ts";
import type { ConnectedState } from "../../client/serverState.ts";
import { announcesSkills } from "../../protocol/skills/skillsExtension.ts";
import type { Translate } from "../../shared/translate.ts";
import type { ChildNode, NoteNode, SectionNode, TreeContext, TreeItemModel } from "./nodes.ts";
import { createNote, createProblemNote } from "./noteNode.ts";
import { ALL_SECTIONS } from "./sections/allSections.ts";
import { createSectionNode, SHOWN_AT_ONCE } from "./sections/section.ts";
import { childrenOfTools, toolsSection } from "./sections/toolsSection.ts";
import { needsPerson } from "../auth/authWords.ts";
import { authNotes } from "./authNotes.ts";
import { describeServer, isHeldUp } from "./serverItem.ts";

/** What a server shows below it: problems first, then what it has. */
export function childrenOfServer(entry: ServerEntry, context: TreeContext): readonly ChildNode[] {
  return [
    ...configNotes(entry, context.t),
    ...authNotes(entry, context.t),
    ...stateNotes(entry, context),
    ...(entry.state.kind === "connected" ? contentOf(entry, entry.state, context) : []),
  ];
}

/** What a section shows below it; nothing once the server is gone. */
export function childrenOfSection(
  node: SectionNode,
  entry: ServerEntry | undefined,
  context: TreeContext,
): readonly ChildNode[] {
  const section = ALL_SECTIONS.find(({ id }) => id === node.section);
  return section === undefined || entry?.state.kind !== "connected"
    ? []
    : section.children(entry, entry.state, context);
}

/** A server's own item. */
export function itemOfServer(entry: ServerEntry, context: TreeContext): TreeItemModel {
  const children = opensByItself(entry) ? "expanded" : "collapsed";
  return { ...describeServer(entry, context), children: hasChildren(entry) ? children : "none" };
}

/** The same answer as looking at the children, without making thousands of them. */
function hasChildren(entry: ServerEntry): boolean {
  const { kind } = entry.state;
  // A connected server shows at least that it has no tools.
  const isSomething = kind === "failed" || kind === "blocked" || kind === "connected";
  return (
    entry.problems.length > 0 || isSomething || (kind !== "connecting" && needsPerson(entry.authorization))
  );
}

/** What a person connected a server for should be seen without a click, and so should a problem. */
export function opensByItself({ state, config, authorization }: ServerEntry): boolean {
  // Headings are few, however much is below them.
  const isShort =
    state.kind === "connected" && (!isToolsOnly(state) || state.catalog.tools.length <= SHOWN_AT_ONCE);
  const isProblem = state.kind === "failed" || state.kind === "blocked" || config === undefined;
  return isShort || isProblem || needsPerson(authorization);
}

/** Headings over what the server has; a server with tools alone needs none over them. */
function contentOf(entry: ServerEntry, state: ConnectedState, context: TreeContext): readonly ChildNode[] {
  const wanted = [...wantedNotes(entry, state, context.t), ...skillsNote(entry, state, context.t)];
  if (isToolsOnly(state)) return [...wanted, ...childrenOfTools(entry, state, context)];
  const nodes: SectionNode[] = [];
  for (const section of ALL_SECTIONS) {
    const heading = section.heading(state, context.t);
    if (heading === undefined) continue;
    nodes.push(createSectionNode(entry.id, section, heading, { isFirst: nodes.length === 0, t: context.t }));
  }
  return [...wanted, ...nodes];
}

/** What the server wants to use and may not. A click lets the person allow it. */
function wantedNotes({ id }: ServerEntry, { wanted }: ConnectedState, t: Translate): readonly NoteNode[] {
  return wanted.map((feature) =>
    feature === "sampling"
      ? createNote(id, {
          key: "wants/sampling",
          label: t("Off: wants a language model"),
          remedy: t("Click to allow it. You read what is sent and what comes back, every time."),
          severity: "info",
          click: "allowSampling",
          t,
        })
      : createNote(id, {
          key: "wants/roots",
          label: t("Off: wants to know your folders"),
          remedy: t("Click to choose the folders that it is told of."),
          severity: "info",
          click: "chooseFolders",
          t,
        }),
  );
}

/** The server has skills, and its settings do not switch them on. */
function skillsNote(
  { id, config }: ServerEntry,
  { negotiation }: ConnectedState,
  t: Translate,
): readonly NoteNode[] {
  if (config?.skills === true || !announcesSkills(negotiation.capabilities)) return [];
  const note = createNote(id, {
    key: "wants/skills",
    label: t("Off: has skills"),
    remedy: t("Set “skills” to true in its settings to see them. Click to open the settings."),
    severity: "info",
    click: "editServer",
    t,
  });
  return [note];
}

function isToolsOnly(state: ConnectedState): boolean {
  const plain: Translate = (text) => text;
  return ALL_SECTIONS.every(
    (section) => section === toolsSection || section.heading(state, plain) === undefined,
  );
}

function configNotes(entry: ServerEntry, t: Translate): readonly NoteNode[] {
  return entry.problems.map((problem, index) =>
    createNote(entry.id, {
      key: `config/${String(index)}`,
      label: t(problem.template, problem.args),
      severity: problem.severity,
      click: "editServer",
      t,
    }),
  );
}

function stateNotes(entry: ServerEntry, context: TreeContext): readonly NoteNode[] {
  const { state } = entry;
  if (state.kind !== "failed" && state.kind !== "blocked") return [];
  // The pool repeats a broken definition as the reason of the block; its own notes say it more exactly.
  if (entry.config === undefined && entry.problems.length > 0) return [];
  // The note of its authorization says the same, and a click on it is the way out.
  if (isHeldUp(entry)) return [];
  const severity = state.kind === "blocked" ? "warning" : "error";
  return [createProblemNote(entry.id, { problem: state.problem, key: "problem", severity }, context)];
}
