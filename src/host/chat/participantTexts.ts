import * as vscode from "vscode";
import type { ServerEntry } from "../../client/serverPool.ts";
import { describeProblem } from "../describeProblem.ts";
import { isHeldUp } from "../views/serverItem.ts";
import { describeProtocol } from "../panels/toolRunView.ts";
import { translate } from "../wording.ts";
import { type ChatTool, MAX_TOOLS } from "./chatTools.ts";
import { codeSpan, plainMarkdown } from "./safeMarkdown.ts";

/** Lines of a list in chat, and buttons below an answer. */
const MAX_LINES = 200;
const MAX_BUTTONS = 6;
const MAX_DESCRIPTION = 160;

/** Answers `/servers`. */
export function listServers(stream: vscode.ChatResponseStream, servers: readonly ServerEntry[]): void {
  if (servers.length === 0) {
    writeNothingConnected(stream, servers);
    return;
  }
  const lines = servers.map((entry) => {
    const note = entry.config?.chat === false ? ` · ${vscode.l10n.t("hidden from chat")}` : "";
    return `- ${codeSpan(entry.id)} — ${describeState(entry)}${note}`;
  });
  writeLines(stream, lines);
  offerConnect(stream, servers);
}

/** Answers `/tools`. */
export function listTools(
  stream: vscode.ChatResponseStream,
  tools: readonly ChatTool[],
  servers: readonly ServerEntry[],
): void {
  if (tools.length === 0) {
    writeNothingConnected(stream, servers);
    return;
  }
  const lines: string[] = [];
  let last: string | undefined;
  for (const { serverId, tool } of tools) {
    if (serverId !== last) lines.push(`\n**${plainMarkdown(serverId)}**\n`);
    last = serverId;
    const description = firstLine(tool.description ?? "");
    lines.push(`- ${codeSpan(tool.name)}${description === "" ? "" : ` — ${plainMarkdown(description)}`}`);
  }
  writeLines(stream, lines);
}

/** Says what is missing before chat can do anything, with a button for each way out. */
export function writeNothingConnected(
  stream: vscode.ChatResponseStream,
  servers: readonly ServerEntry[],
): void {
  if (servers.length === 0) {
    stream.markdown(vscode.l10n.t("There are no MCP servers yet."));
    stream.button({ command: "signalbox.addServer", title: vscode.l10n.t("Add Server…") });
    stream.button({ command: "signalbox.tryDemo", title: vscode.l10n.t("Try the Demo Server") });
    return;
  }
  const connected = servers.some((entry) => entry.state.kind === "connected");
  stream.markdown(
    connected
      ? vscode.l10n.t(
          "The connected servers have no tools that chat may use. The settings “chat” and “tools” of each server decide that.",
        )
      : vscode.l10n.t("No MCP server is connected."),
  );
  offerConnect(stream, servers);
}

/** Says which tools did not fit into the request. */
export function writeLeftOut(stream: vscode.ChatResponseStream, leftOut: readonly ChatTool[]): void {
  if (leftOut.length === 0) return;
  const byServer = new Map<string, string[]>();
  for (const { serverId, tool } of leftOut)
    byServer.set(serverId, [...(byServer.get(serverId) ?? []), tool.name]);
  const lines = [
    vscode.l10n.t(
      "Models take at most {limit} tools, so {count} were left out of this request. The setting “tools” of a server narrows them down.",
      { limit: MAX_TOOLS, count: leftOut.length },
    ),
    "",
    ...[...byServer].map(([server, names]) => `- ${codeSpan(server)}: ${names.map(codeSpan).join(", ")}`),
  ];
  writeLines(stream, lines);
  stream.markdown("\n\n");
}

/** Writes a list, within bounds. */
export function writeLines(stream: vscode.ChatResponseStream, lines: readonly string[]): void {
  const shown = lines.slice(0, MAX_LINES);
  const rest = lines.length - shown.length;
  const more = rest === 0 ? [] : [`\n${vscode.l10n.t("… and {count} more.", { count: rest })}`];
  stream.markdown(new vscode.MarkdownString([...shown, ...more].join("\n")));
}

function offerConnect(stream: vscode.ChatResponseStream, servers: readonly ServerEntry[]): void {
  const startable = servers.filter(
    ({ state }) => state.kind === "stopped" || state.kind === "failed" || state.kind === "blocked",
  );
  for (const entry of startable.slice(0, MAX_BUTTONS)) {
    const [command, title] = isHeldUp(entry)
      ? ["signalbox.signIn", vscode.l10n.t("Sign In to {server}", { server: entry.id })]
      : ["signalbox.connect", vscode.l10n.t("Connect {server}", { server: entry.id })];
    stream.button({ command, title, arguments: [entry.id] });
  }
}

function describeState({ state }: ServerEntry): string {
  switch (state.kind) {
    case "disabled":
      return vscode.l10n.t("disabled");
    case "stopped":
      return vscode.l10n.t("not connected");
    case "connecting":
      return vscode.l10n.t("connecting…");
    case "connected":
      return vscode.l10n.t("{protocol}, {count} tools", {
        protocol: describeProtocol(state, translate),
        count: state.catalog.tools.length,
      });
    case "blocked":
    case "failed":
      return plainMarkdown(describeProblem(state.problem).message);
  }
}

function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION)}…`;
}
