import * as vscode from "vscode";
import { stringifyJson } from "../base/json.ts";
import type { Log, LogLevel } from "../base/log.ts";
import { Redactor } from "../base/redact.ts";
import { LogBudget } from "./logBudget.ts";
import type { HostLog } from "./services.ts";

/** One entry of a log is evidence, not an archive: longer ones are cut. Characters. */
const MAX_ENTRY = 64 * 1024;

/** Channels that exist at once; a server beyond that writes to the main channel, marked with its name. */
const MAX_CHANNELS = 50;

/** The levels as VS Code numbers them; a channel shows its own level and those above it. */
const LEVELS: Readonly<Record<LogLevel, vscode.LogLevel>> = {
  trace: vscode.LogLevel.Trace,
  debug: vscode.LogLevel.Debug,
  info: vscode.LogLevel.Info,
  warn: vscode.LogLevel.Warning,
  error: vscode.LogLevel.Error,
};

/** The output channels of the extension: one for itself, and one for each server that has something to say. */
export function createHostLog(): HostLog {
  const mainChannel = vscode.window.createOutputChannel("Signalbox", { log: true });
  const channels = new Map<string, vscode.LogOutputChannel>();
  const budgets = new Map<string, LogBudget>();
  // One redactor for all: a secret of one server may turn up in another one's output, or in our own.
  const redactor = new Redactor();

  function channelOf(serverId: string): vscode.LogOutputChannel {
    const known = channels.get(serverId);
    if (known !== undefined) return known;
    if (channels.size >= MAX_CHANNELS) return mainChannel;
    const channel = vscode.window.createOutputChannel(`Signalbox: ${serverId}`, { log: true });
    channels.set(serverId, channel);
    return channel;
  }

  return {
    main: logTo(() => mainChannel, redactor, ""),
    forServer(serverId) {
      const prefix = channels.has(serverId) || channels.size < MAX_CHANNELS ? "" : `[${serverId}] `;
      const budget = budgets.get(serverId) ?? new LogBudget();
      budgets.set(serverId, budget);
      return logTo(() => channelOf(serverId), redactor, prefix, budget);
    },
    addSecrets(_serverId, secrets) {
      for (const secret of secrets) redactor.add(secret);
    },
    addPassingSecret(secret) {
      redactor.addPassing(secret);
    },
    show(serverId) {
      const channel = serverId === undefined ? mainChannel : channelOf(serverId);
      channel.show(true);
    },
    dispose() {
      for (const channel of channels.values()) channel.dispose();
      channels.clear();
      mainChannel.dispose();
    },
  };
}

function logTo(
  channelOf: () => vscode.LogOutputChannel,
  redactor: Redactor,
  prefix: string,
  budget?: LogBudget,
): Log {
  return {
    write(level, text, sensitive) {
      const channel = channelOf();
      // Most messages are of a level that nobody looks at: they cost nothing.
      if (channel.logLevel === vscode.LogLevel.Off || LEVELS[level] < channel.logLevel) return;
      writeWithin(budget, channel, level, prefix + redactor.redact(text));
      if (sensitive === undefined || !showsWire()) return;
      const body = sensitive();
      const shown = redactor.redact(typeof body === "string" ? body : stringifyJson(body));
      writeWithin(budget, channel, level, shown);
    },
  };
}

function writeWithin(
  budget: LogBudget | undefined,
  channel: vscode.LogOutputChannel,
  level: LogLevel,
  text: string,
): void {
  const leftOut = budget === undefined ? 0 : budget.take(Math.min(text.length, MAX_ENTRY), Date.now());
  if (leftOut === undefined) return;
  if (leftOut > 0)
    channel.warn(
      vscode.l10n.t("{count} entries were left out: there were too many at once.", { count: leftOut }),
    );
  write(channel, level, text);
}

/** Whether the user asked to see message bodies. Read each time: the switch must work without a restart. */
function showsWire(): boolean {
  return vscode.workspace.getConfiguration("signalbox").get<boolean>("log.wire", false);
}

function write(channel: vscode.LogOutputChannel, level: LogLevel, text: string): void {
  channel[level](
    text.length <= MAX_ENTRY ? text : `${text.slice(0, MAX_ENTRY)}… (${String(text.length)} characters)`,
  );
}
