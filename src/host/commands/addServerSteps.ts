import * as vscode from "vscode";
import { splitCommandLine } from "../../client/commandLine.ts";
import type { ConfigPlace } from "../config/writeServer.ts";
import { askChoice, askText, type Choice, type TextQuestion } from "../quickInput/ask.ts";
import { BACK, type FlowStep, SKIP } from "../quickInput/runFlow.ts";
import { pickLabel } from "../serverText.ts";
import { type AddDraft, isHeaderName, suggestName } from "./addServerDraft.ts";
import type { ImportPlan } from "./planImport.ts";
import { freeName } from "./freeName.ts";

/** What the steps ask their surroundings. */
export interface AddServerPorts {
  readonly isTaken: (name: string) => boolean;
  readonly readPasted: (text: string) => ImportPlan;
}

/** The questions of `Add Server…`, in order. Steps that do not apply skip themselves. */
export function addServerSteps(ports: AddServerPorts): readonly FlowStep<AddDraft>[] {
  return [
    askKind,
    askCommand,
    askUrl,
    askAuth,
    askHeaderName,
    askHeaderValue,
    askJson(ports),
    askName(ports),
    askPlace,
  ];
}

function title(): string {
  return vscode.l10n.t("Add MCP Server");
}

/** One text question as a step: what was typed goes into the draft. */
async function text(
  question: Omit<TextQuestion, "title">,
  use: (answer: string) => AddDraft,
): Promise<AddDraft | typeof BACK | undefined> {
  const answer = await askText({ ...question, title: title() });
  return typeof answer === "string" ? use(answer) : answer;
}

const askKind: FlowStep<AddDraft> = async (draft, canGoBack) => {
  const { l10n } = vscode;
  const kind = await askChoice<"stdio" | "http" | "json">({
    title: title(),
    canGoBack,
    placeholder: l10n.t("What kind of server is it?"),
    items: [
      {
        label: `$(terminal) ${l10n.t("Command")}`,
        description: "stdio",
        detail: l10n.t("A program on this machine, such as “npx -y some-server”"),
        value: "stdio",
      },
      {
        label: `$(globe) ${l10n.t("Address")}`,
        description: "HTTP",
        detail: l10n.t("A server on the network or on this machine that has a URL"),
        value: "http",
      },
      {
        label: `$(json) ${l10n.t("Paste JSON")}`,
        detail: l10n.t("From a README or another MCP client; a command or an install link is understood too"),
        value: "json",
      },
    ],
  });
  return kind === undefined || kind === BACK ? kind : { ...draft, kind };
};

const askCommand: FlowStep<AddDraft> = async (draft, canGoBack) => {
  if (draft.kind !== "stdio") return SKIP;
  return text(
    {
      canGoBack,
      prompt: vscode.l10n.t("The command with its arguments. Quotes group words; no shell is used."),
      placeholder: 'npx -y some-server "${workspaceFolder}"',
      value: draft.commandLine ?? "",
      validate: checkCommandLine,
    },
    (commandLine) => ({ ...draft, commandLine }),
  );
};

function checkCommandLine(value: string): string | undefined {
  const line = splitCommandLine(value);
  if (line.kind === "unclosed-quote") return vscode.l10n.t("A quotation mark is not closed.");
  if (line.kind === "shell-syntax") {
    return vscode.l10n.t(
      "“{found}” needs a shell, and none is used. Quote it if it is part of an argument.",
      {
        found: line.found,
      },
    );
  }
  const [command] = line.words;
  return command === undefined || command === "" ? vscode.l10n.t("Enter a command.") : undefined;
}

const askUrl: FlowStep<AddDraft> = async (draft, canGoBack) => {
  if (draft.kind !== "http") return SKIP;
  return text(
    {
      canGoBack,
      prompt: vscode.l10n.t("The address of the MCP endpoint"),
      placeholder: "https://example.com/mcp",
      value: draft.url ?? "",
      validate: checkUrl,
    },
    (url) => ({ ...draft, url: url.trim() }),
  );
};

function checkUrl(value: string): string | undefined {
  const trimmed = value.trim();
  // A placeholder may stand for the whole beginning, so only its absence makes the address checkable.
  if (trimmed.includes("${")) return undefined;
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return vscode.l10n.t("Enter an address that starts with http:// or https://.");
  }
  if (url.username !== "" || url.password !== "") {
    return vscode.l10n.t(
      "Leave user name and password out of the address. The next step asks for credentials.",
    );
  }
  return undefined;
}

const askAuth: FlowStep<AddDraft> = async (draft, canGoBack) => {
  if (draft.kind !== "http") return SKIP;
  const { l10n } = vscode;
  const auth = await askChoice<"none" | "bearer" | "header">({
    title: title(),
    canGoBack,
    placeholder: l10n.t("Does the server need a credential?"),
    items: [
      {
        label: l10n.t("No credential"),
        detail: l10n.t("If the server wants you to sign in, your browser opens once you connect it"),
        value: "none",
      },
      {
        label: l10n.t("Bearer token"),
        detail: l10n.t("Sent in the header “Authorization”"),
        value: "bearer",
      },
      { label: l10n.t("Another header"), detail: l10n.t("Such as an API key"), value: "header" },
    ],
  });
  return auth === undefined || auth === BACK ? auth : { ...draft, auth };
};

const askHeaderName: FlowStep<AddDraft> = async (draft, canGoBack) => {
  if (draft.kind !== "http" || draft.auth !== "header") return SKIP;
  return text(
    {
      canGoBack,
      prompt: vscode.l10n.t("The name of the header"),
      placeholder: "X-API-Key",
      value: draft.headerName ?? "",
      validate: (name) =>
        isHeaderName(name) ? undefined : vscode.l10n.t("A header name has letters, digits and hyphens only."),
    },
    (headerName) => ({ ...draft, headerName }),
  );
};

const askHeaderValue: FlowStep<AddDraft> = async (draft, canGoBack) => {
  if (draft.kind !== "http" || draft.auth === undefined || draft.auth === "none") return SKIP;
  return text(
    {
      canGoBack,
      prompt: vscode.l10n.t("The value. It is kept in the editor's secret storage, not in the settings."),
      password: true,
      validate: (value) => (value.trim() === "" ? vscode.l10n.t("A secret cannot be empty.") : undefined),
    },
    (value) => ({ ...draft, headerValue: value.trim() }),
  );
};

function askJson(ports: AddServerPorts): FlowStep<AddDraft> {
  return async (draft, canGoBack) => {
    if (draft.kind !== "json") return SKIP;
    // The box has one line and would lose line breaks, and with them comments; the clipboard keeps them.
    const clipboard = (await vscode.env.clipboard.readText()).trim();
    const found = ports.readPasted(clipboard);
    if (found.kind === "plan") {
      // The names only: the text may hold secrets, and somebody may be looking on.
      const detail = pickLabel(Object.keys(found.plan.entries).join(", "));
      const use = await askChoice({
        title: title(),
        canGoBack,
        placeholder: vscode.l10n.t("The clipboard holds servers."),
        items: [
          { label: `$(clippy) ${vscode.l10n.t("Use the clipboard")}`, detail, value: true },
          { label: `$(edit) ${vscode.l10n.t("Enter something else")}`, value: false },
        ],
      });
      if (use === undefined || use === BACK) return use;
      if (use) return { ...draft, json: clipboard };
    }
    return text(
      {
        canGoBack,
        prompt: vscode.l10n.t("Paste the JSON. Secrets in it are moved into the secret storage."),
        placeholder: '{ "mcpServers": { … } }',
        value: draft.json ?? "",
        validate(value) {
          const result = ports.readPasted(value);
          return result.kind === "problem" ? result.problem : undefined;
        },
      },
      (json) => ({ ...draft, json }),
    );
  };
}

function askName({ isTaken }: AddServerPorts): FlowStep<AddDraft> {
  return async (draft, canGoBack) => {
    if (draft.kind === "json") return SKIP;
    return text(
      {
        canGoBack,
        prompt: vscode.l10n.t("A name for the server"),
        value: draft.name ?? freeName(suggestName(draft), isTaken),
        validate: (name) => {
          if (name.trim() === "") return vscode.l10n.t("Enter a name.");
          if (name.length > 64) return vscode.l10n.t("A name has at most 64 characters.");
          return isTaken(name.trim()) ? vscode.l10n.t("There is a server of this name already.") : undefined;
        },
      },
      (name) => ({ ...draft, name: name.trim() }),
    );
  };
}

const askPlace: FlowStep<AddDraft> = async (draft, canGoBack) => {
  const items = placeChoices();
  const [only] = items;
  // Without a choice there is no question.
  if (items.length === 1 && only !== undefined) return { ...draft, place: only.value };
  const place = await askChoice<ConfigPlace>({
    title: title(),
    canGoBack,
    placeholder: vscode.l10n.t("Where should it be kept?"),
    items,
  });
  return place === undefined || place === BACK ? place : { ...draft, place };
};

/** The settings that can be written in this window. An untrusted workspace could not use what it defines. */
function placeChoices(): readonly Choice<ConfigPlace>[] {
  const { l10n, workspace } = vscode;
  const user: Choice<ConfigPlace> = {
    label: l10n.t("User settings"),
    detail: l10n.t("For all your workspaces"),
    value: { source: "user" },
  };
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length === 0 || !workspace.isTrusted) return [user];
  const whole: Choice<ConfigPlace> = {
    label: l10n.t("Workspace settings"),
    detail: l10n.t("For this workspace. Others who open it are asked before it runs."),
    value: { source: "workspace" },
  };
  if (workspace.workspaceFile === undefined) return [user, whole];
  const each = folders.map((folder): Choice<ConfigPlace> => ({
    label: l10n.t("Folder settings: {folder}", { folder: folder.name }),
    value: { source: "folder", folder: folder.uri.toString() },
  }));
  return [user, whole, ...each];
}
