import type * as vscode from "vscode";
import type { Disposable } from "../base/disposable.ts";
import type { Event } from "../base/emitter.ts";
import type { Log } from "../base/log.ts";
import type { ServerPool } from "../client/serverPool.ts";
import type { InputHandler } from "../protocol/mrtr/inputRequired.ts";

/** What every part of the host layer is given. Built once, in `compose.ts`. */
export interface HostServices {
  readonly context: vscode.ExtensionContext;
  /** All servers of the window. Not yet there while the input panel is being created: read it when it is needed. */
  readonly pool: ServerPool;
  readonly log: HostLog;
  readonly secrets: SecretVault;
  /** The Input request panel, which answers for every call that brings no handler of its own. */
  readonly inputHandler: InputPanel;
  /** The Model request panel, in which a person reads what goes to a model and what comes back. */
  readonly samplingPanel: ModelRequestPanel;
}

/** A panel in which servers wait for a person. */
interface PendingPanel {
  /** What waits for a person, the visible one included. */
  readonly pendingCount: number;
  /** Fires when `pendingCount` may have changed. */
  readonly onDidChangePending: Event<void>;
  /** Brings the panel to the front; opens it when it was closed. */
  show(): void;
}

/** The Model request panel, and which calls wait in it. */
export interface ModelRequestPanel extends PendingPanel {
  /** Whether a call waits for a model's answer, which needs a person before and after. */
  waitsIn(callId: string): boolean;
}

/** The panel in which a person answers servers, and what the rest of the window shows about it. */
export interface InputPanel extends InputHandler, Disposable {
  /** Rounds that wait for a person, the visible one included. */
  readonly pendingCount: number;
  /** Fires when `pendingCount` changed. */
  readonly onDidChangePending: Event<void>;
  /** Brings the panel to the front; opens it when it was closed. */
  show(): void;
}

/** The output channels. Secrets are masked before anything reaches them. */
export interface HostLog extends Disposable {
  /** The “Signalbox” channel. */
  readonly main: Log;
  /** The channel of one server, made when it is first written to. */
  forServer(serverId: string): Log;
  /** Registers values that must never appear in that server's channel, nor in the main one. */
  addSecrets(serverId: string, secrets: readonly string[]): void;
  /** The same for a value that others will replace, as a token. */
  addPassingSecret(secret: string): void;
  /** Brings a channel to the front: that of the server, or the main one. */
  show(serverId?: string): void;
}

/** Named secrets in VS Code's SecretStorage. Settings refer to them as `${secret:NAME}`. */
export interface SecretVault {
  /** The names, sorted. Values are never listed. */
  names(): readonly string[];
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Fires with the name of a secret that was set or deleted, in this window or another one. */
  readonly onDidChange: Event<string>;
}
