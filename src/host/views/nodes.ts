import type { ServerConfig } from "../../client/serverConfig.ts";
import type { Wording } from "../words.ts";

/** How a node looks and reads, without the editor's types. */
export interface TreeItemModel {
  /** Stable across refreshes, so that the editor keeps selection and expansion. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** A codicon with the theme colour to draw it in. */
  readonly icon: { readonly id: string; readonly color?: string };
  /** What the menus of the manifest match. */
  readonly contextValue: string;
  /** Lines of plain text; nothing in them is markup. */
  readonly tooltip: readonly TooltipLine[];
  /** Label, description and the meaning of the icon, for a screen reader. */
  readonly accessibleLabel: string;
  readonly children: "none" | "collapsed" | "expanded";
  /** What a click does. */
  readonly click?:
    | "runTool"
    | "readResource"
    | "openTemplate"
    | "getPrompt"
    | "readSkill"
    | "showTaskResult"
    | "showServerLog"
    | "editServer"
    | "allowSampling"
    | "chooseFolders"
    | "signIn"
    | "signInWithNewRegistration"
    | "signInWithMoreScopes";
}

export interface TooltipLine {
  readonly style: "title" | "text" | "fact" | "quote";
  /** The name of a fact. */
  readonly name?: string;
  readonly text: string;
}

/** A server. What it looks like is asked for each time, because it changes while the node stays. */
export interface ServerNode {
  readonly kind: "server";
  readonly serverId: string;
}

/** A heading over one kind of things of a server. What is below it is made when it is opened. */
export interface SectionNode {
  readonly kind: "section";
  readonly serverId: string;
  /** Which of the sections; see `sections/allSections.ts`. */
  readonly section: string;
  readonly item: TreeItemModel;
}

export interface ToolNode {
  readonly kind: "tool";
  readonly serverId: string;
  /** The exact name on the wire. */
  readonly toolName: string;
  readonly item: TreeItemModel;
}

export interface ResourceNode {
  readonly kind: "resource";
  readonly serverId: string;
  readonly uri: string;
  readonly item: TreeItemModel;
}

export interface TemplateNode {
  readonly kind: "template";
  readonly serverId: string;
  readonly uriTemplate: string;
  readonly item: TreeItemModel;
}

export interface PromptNode {
  readonly kind: "prompt";
  readonly serverId: string;
  /** The exact name on the wire. */
  readonly promptName: string;
  readonly item: TreeItemModel;
}

export interface TaskNode {
  readonly kind: "task";
  readonly serverId: string;
  readonly taskId: string;
  readonly item: TreeItemModel;
}

/** A skill. Its files are asked for when it is opened. */
export interface SkillNode {
  readonly kind: "skill";
  readonly serverId: string;
  /** The URI of its SKILL.md. */
  readonly skill: string;
  readonly skillName: string;
  readonly item: TreeItemModel;
}

/** One file of a skill. */
export interface SkillFileNode {
  readonly kind: "skillFile";
  readonly serverId: string;
  readonly skill: string;
  /** Its URI. */
  readonly file: string;
  readonly item: TreeItemModel;
}

/** Something to read: a problem, a warning, the heading over withheld tools. */
export interface NoteNode {
  readonly kind: "note";
  readonly serverId: string;
  readonly item: TreeItemModel;
  readonly children: readonly NoteNode[];
}

/** Everything that can be below a server. */
export type ChildNode =
  | SectionNode
  | ToolNode
  | ResourceNode
  | TemplateNode
  | PromptNode
  | SkillNode
  | SkillFileNode
  | TaskNode
  | NoteNode;

export type TreeNode = ServerNode | ChildNode;

/** What the tree is drawn with beside the entries of the pool. */
export interface TreeContext extends Wording {
  /** Whether a server may ask a language model. */
  readonly maySample: (config: ServerConfig) => boolean;
  /** Whether changes of a resource are being watched. */
  readonly isWatched: (serverId: string, uri: string) => boolean;
  /** Whether a watched resource changed since it was last looked at. */
  readonly isChanged: (serverId: string, uri: string) => boolean;
}

/** One id for one path of names, whatever characters are in them. */
export function nodeId(...path: readonly (string | number)[]): string {
  return JSON.stringify(path);
}
