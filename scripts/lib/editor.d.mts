import type { ChildProcess } from "node:child_process";

export interface Editor {
  readonly port: number;
  readonly token: string | undefined;
  readonly url: string;
  readonly profile: string;
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly dispose: () => Promise<void>;
}

export interface EditorOptions {
  readonly profile?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly vsix?: readonly string[];
  readonly automation?: boolean;
  readonly trust?: boolean;
  readonly token?: string;
  readonly port?: number;
  readonly keep?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly onOutput?: (text: string) => void;
}

export function startEditor(options?: EditorOptions): Promise<Editor>;
export function writeSettings(profile: string, settings: Readonly<Record<string, unknown>>): Promise<void>;
export function workbenchAddress(
  editor: Editor,
  folder: string,
  payload?: readonly (readonly [string, string])[],
): string;
export function freePort(wanted?: number): Promise<number>;
