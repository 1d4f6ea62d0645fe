import * as vscode from "vscode";
import type { Log, LogLevel } from "../base/log.ts";
import { Redactor } from "../base/redact.ts";
import type { HostLog } from "./services.ts";

/** One entry of a log is evidence, not an archive: longer ones are cut. Characters. */
const MAX_ENTRY = 64 * 1024;

/** Channels that exist at once; a server beyond that writes to the main channel, marked with its name. */
const MAX_CHANNELS = 50;

/** The output channels of the extension: one for itself, and one for each server that has something to say. */
export function createHostLog(): HostLog {
  const mainChannel = vscode.window.createOutputChannel("Signalbox", { log: true });
  const channels = new Map<string, vscode.LogOutputChannel>();
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
      return logTo(() => channelOf(serverId), redactor, prefix);
    },
    addSecrets(_serverId, secrets) {
      for (const secret of secrets) redactor.add(secret);
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

function logTo(channel: () => vscode.LogOutputChannel, redactor: Redactor, prefix: string): Log {
  return {
    write(level, text, sensitive) {
      write(channel(), level, prefix + redactor.redact(text));
      if (sensitive === undefined || !showsWire()) return;
      const body = sensitive();
      write(channel(), level, redactor.redact(typeof body === "string" ? body : JSON.stringify(body)));
    },
  };
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
