import type { Uri } from "vscode";
import type { SignOutOutcome } from "../../auth/model/authSession.ts";
import type { AuthStatus } from "../../auth/model/authStatus.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ServerState } from "../../client/serverState.ts";
import type {
  PromptNode,
  ResourceNode,
  ServerNode,
  SkillNode,
  TaskNode,
  TemplateNode,
  ToolNode,
} from "../views/nodes.ts";

/** What names a server: its id, or its node in the tree. Undefined lets the person choose. */
export type ServerArgument = string | Pick<ServerNode, "serverId"> | undefined;

/** What names a tool: its node in the tree, or the id of the server with the name of the tool beside it. */
export type ToolArgument = string | Pick<ToolNode, "serverId" | "toolName"> | undefined;

/**
 * What names a resource: its node in the tree, the editor's URI of a document that shows it, or the id of the server
 * with the resource's URI beside it.
 */
export type ResourceArgument = string | Pick<ResourceNode, "serverId" | "uri"> | Uri | undefined;

/** What names a template: its node in the tree, or the id of the server with the template's text beside it. */
export type TemplateArgument = string | Pick<TemplateNode, "serverId" | "uriTemplate"> | undefined;

/** What names a prompt: its node in the tree, or the id of the server with the name of the prompt beside it. */
export type PromptArgument = string | Pick<PromptNode, "serverId" | "promptName"> | undefined;

/** What names a skill: its node or one of its files in the tree, or the id of the server with its URI beside it. */
export type SkillArgument = string | Pick<SkillNode, "serverId" | "skill"> | undefined;

/** What names a task: its node in the tree, or the id of the server with the id of the task beside it. */
export type TaskArgument = string | Pick<TaskNode, "serverId" | "taskId"> | undefined;

/** A server to add without questions: what `Add Server…` would have asked for. */
export interface NewServer {
  readonly name: string;
  /** The entry as it is written to the settings. */
  readonly definition: JsonObject;
  /** Defaults to the user's settings. */
  readonly target?: "user" | "workspace";
}

/**
 * Every command of the extension with its signature. Each works from the palette, where it asks for what is
 * missing; from the tree, which passes a node; and from `executeCommand`. Undefined means that nothing was done.
 */
export interface CommandTable {
  /** Answers the names of the servers that were added. */
  "signalbox.addServer": (server?: NewServer) => Promise<readonly string[] | undefined>;
  "signalbox.editServer": (server?: ServerArgument) => Promise<string | undefined>;
  /** `force` asks no question. Answers the name of the server that was removed. */
  "signalbox.removeServer": (
    server?: ServerArgument,
    options?: { readonly force?: boolean },
  ) => Promise<string | undefined>;
  "signalbox.enable": (server?: ServerArgument) => Promise<string | undefined>;
  "signalbox.disable": (server?: ServerArgument) => Promise<string | undefined>;
  "signalbox.allowOldRevision": (server?: ServerArgument) => Promise<string | undefined>;
  /** Lets a server ask a language model, each time with the person's consent. */
  "signalbox.allowSampling": (server?: ServerArgument) => Promise<string | undefined>;
  "signalbox.forbidSampling": (server?: ServerArgument) => Promise<string | undefined>;
  /** Asks for the folders that are not given by name. Answers the names of the folders that the server is told of. */
  "signalbox.chooseFolders": (
    server?: ServerArgument,
    names?: readonly string[],
  ) => Promise<readonly string[] | undefined>;
  /** Answers the state that came of it, which may be a failure: that is reported, not thrown. */
  "signalbox.connect": (server?: ServerArgument) => Promise<ServerState | undefined>;
  "signalbox.disconnect": (server?: ServerArgument) => Promise<ServerState | undefined>;
  "signalbox.restart": (server?: ServerArgument) => Promise<ServerState | undefined>;
  "signalbox.negotiateAgain": (server?: ServerArgument) => Promise<ServerState | undefined>;
  "signalbox.refreshTools": (server?: ServerArgument) => Promise<ServerState | undefined>;
  /** These five answer how the server is authorized then; what goes wrong is reported, not thrown. */
  "signalbox.signIn": (server?: ServerArgument) => Promise<AuthStatus | undefined>;
  /** Asks for the scopes unless they are given; an empty list asks the authorization server for none. */
  "signalbox.signInWithScopes": (
    server?: ServerArgument,
    scopes?: readonly string[],
  ) => Promise<AuthStatus | undefined>;
  /** Forgets which client this editor is at the authorization server, and registers anew. */
  "signalbox.signInWithNewRegistration": (server?: ServerArgument) => Promise<AuthStatus | undefined>;
  /** Has the person sign in at the authorization server anew, where another account can be chosen. */
  "signalbox.signInWithAnotherAccount": (server?: ServerArgument) => Promise<AuthStatus | undefined>;
  /** Asks for the scopes that the last refusal named. */
  "signalbox.signInWithMoreScopes": (server?: ServerArgument) => Promise<AuthStatus | undefined>;
  "signalbox.signOut": (server?: ServerArgument) => Promise<SignOutOutcome | undefined>;
  /** These two answer the text, which holds no secret. */
  "signalbox.showAuthorization": (server?: ServerArgument) => Promise<string | undefined>;
  "signalbox.copyAuthorizationReport": (server?: ServerArgument) => Promise<string | undefined>;
  /** Hands the address that the browser ended on to a sign-in that waits for it. Answers the name of the server. */
  "signalbox.pasteSignInAddress": (server?: ServerArgument) => Promise<string | undefined>;
  /** Copies where the browser has to go. Answers the name of the server: the address is good for a sign-in. */
  "signalbox.copySignInAddress": (server?: ServerArgument) => Promise<string | undefined>;
  "signalbox.showNegotiation": (server?: ServerArgument) => Promise<string | undefined>;
  "signalbox.showServerLog": (server?: ServerArgument) => Promise<string | undefined>;
  /** Answers the level, which is asked for unless given. */
  "signalbox.setLogLevel": (server?: ServerArgument, level?: string) => Promise<string | undefined>;
  "signalbox.runTool": (
    tool?: ToolArgument,
    toolName?: string,
    args?: JsonObject,
  ) => Promise<string | undefined>;
  "signalbox.copyToolName": (tool?: ToolArgument, toolName?: string) => Promise<string | undefined>;
  /** Answers the address of the document, as the editor writes it. */
  "signalbox.readResource": (resource?: ResourceArgument, uri?: string) => Promise<string | undefined>;
  /** Asks for the URI of a resource, which no list needs to have. */
  "signalbox.readResourceUri": (server?: ServerArgument) => Promise<string | undefined>;
  /** Asks for the values that are not given, all at once. */
  "signalbox.openTemplate": (
    template?: TemplateArgument,
    uriTemplate?: string,
    values?: Readonly<Record<string, string>>,
  ) => Promise<string | undefined>;
  /** Answers the place where it was saved, as the editor writes it. */
  "signalbox.saveResource": (resource?: ResourceArgument, uri?: string) => Promise<string | undefined>;
  /** These two answer the resource's own URI. */
  "signalbox.watchResource": (resource?: ResourceArgument, uri?: string) => Promise<string | undefined>;
  "signalbox.unwatchResource": (resource?: ResourceArgument, uri?: string) => Promise<string | undefined>;
  "signalbox.copyResourceUri": (resource?: ResourceArgument, uri?: string) => Promise<string | undefined>;
  "signalbox.attachResource": (resource?: ResourceArgument, uri?: string) => Promise<string | undefined>;
  /** Asks for the arguments that are not given, all at once. Answers the text of the prompt. */
  "signalbox.getPrompt": (
    prompt?: PromptArgument,
    promptName?: string,
    args?: Readonly<Record<string, string>>,
  ) => Promise<string | undefined>;
  "signalbox.copyPromptName": (prompt?: PromptArgument, promptName?: string) => Promise<string | undefined>;
  /** These three act on the document of a prompt: the given one, or the one in front. They answer its text. */
  "signalbox.copyPromptText": (document?: Uri) => Promise<string | undefined>;
  "signalbox.sendPromptToChat": (document?: Uri) => Promise<string | undefined>;
  "signalbox.insertPrompt": (document?: Uri) => Promise<string | undefined>;
  /** Opens SKILL.md, or the named file of the skill, once it is verified. Answers the address of the document. */
  "signalbox.readSkill": (skill?: SkillArgument, uri?: string, file?: string) => Promise<string | undefined>;
  "signalbox.attachSkill": (skill?: SkillArgument, uri?: string) => Promise<string | undefined>;
  "signalbox.copySkillName": (skill?: SkillArgument, uri?: string) => Promise<string | undefined>;
  /** Waits for the result in the panel of the tool. These three answer the id of the task. */
  "signalbox.showTaskResult": (task?: TaskArgument, taskId?: string) => Promise<string | undefined>;
  "signalbox.cancelTask": (task?: TaskArgument, taskId?: string) => Promise<string | undefined>;
  "signalbox.forgetTask": (task?: TaskArgument, taskId?: string) => Promise<string | undefined>;
  "signalbox.showPendingInput": () => Promise<number>;
  /** Answers the name of the secret. The value is asked for unless given. */
  "signalbox.setSecret": (name?: string, value?: string) => Promise<string | undefined>;
  "signalbox.deleteSecret": (
    name?: string,
    options?: { readonly force?: boolean },
  ) => Promise<string | undefined>;
  /** Adds the demo server when it is not there, and connects it. */
  "signalbox.tryDemo": () => Promise<ServerState | undefined>;
  "signalbox.openWalkthrough": () => Promise<undefined>;
  "signalbox.manageTrust": () => Promise<undefined>;
}

export type CommandId = keyof CommandTable;

/** Handlers of some of the commands; together they are all of them. */
export type Handlers<Id extends CommandId> = Pick<CommandTable, Id>;
