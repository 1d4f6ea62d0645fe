import type { ChildProcess } from "node:child_process";

export interface RunningDemo {
  readonly url: string;
  readonly child: ChildProcess;
  /** Passes on "kill A", "start A" or "status", and answers what the demo says. */
  readonly command: (text: string) => Promise<string>;
  readonly dispose: () => Promise<void>;
}

export function startDemo(options?: { readonly port?: number; readonly node?: string }): Promise<RunningDemo>;
