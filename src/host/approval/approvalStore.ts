import type * as vscode from "vscode";
import * as z from "zod";
import type { LaunchLine } from "../../client/approval.ts";
import type { ServerConfig } from "../../client/serverConfig.ts";

const KEY = "signalbox.approvals";

const launchLine = z.object({
  field: z.enum(["command", "cwd", "env", "envFile", "inheritEnv", "url", "headers", "proxy", "tls"]),
  name: z.string().optional(),
  text: z.string(),
});

const approval = z.object({ digest: z.string(), lines: z.array(launchLine) });

/** What was allowed: the digest that binds the approval, and lines to compare a later definition with. */
export interface Approval {
  readonly digest: string;
  readonly lines: readonly LaunchLine[];
}

/** Approvals of this workspace. The editor keeps its state outside of the workspace, where it cannot be forged. */
export interface ApprovalStore {
  get(config: ServerConfig): Approval | undefined;
  set(config: ServerConfig, approval: Approval): Promise<void>;
}

/** Keeps approvals in the editor's state for this workspace. */
export function createApprovalStore(state: vscode.Memento): ApprovalStore {
  const readAll = (): Readonly<Record<string, unknown>> => state.get<Record<string, unknown>>(KEY, {});
  const keyOf = (config: ServerConfig): string => `${config.source} ${config.id}`;
  return {
    get(config) {
      const all = readAll();
      const parsed = approval.safeParse(Object.hasOwn(all, keyOf(config)) ? all[keyOf(config)] : undefined);
      if (!parsed.success) return undefined;
      const lines = parsed.data.lines.map(({ name, ...line }) =>
        name === undefined ? line : { ...line, name },
      );
      return { digest: parsed.data.digest, lines };
    },
    async set(config, next) {
      await state.update(KEY, { ...readAll(), [keyOf(config)]: next });
    },
  };
}
