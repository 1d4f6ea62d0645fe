import { CodedError } from "../base/errors.ts";
import type { CommandId } from "./commands/table.ts";

/** Something that a person can do about a problem, as a command of ours on the server that has it. */
export type ProblemAction = Extract<
  CommandId,
  | "signalbox.showServerLog"
  | "signalbox.editServer"
  | "signalbox.restart"
  | "signalbox.connect"
  | "signalbox.negotiateAgain"
  | "signalbox.setSecret"
  | "signalbox.addServer"
  | "signalbox.refreshTools"
  | "signalbox.allowOldRevision"
  | "signalbox.manageTrust"
  | "signalbox.enable"
>;

/** What helps against each error, the most helpful first. A code that is not here has the log. */
const ACTIONS: Readonly<Record<string, readonly ProblemAction[]>> = {
  "no-such-server": ["signalbox.addServer"],
  "not-connected": ["signalbox.connect"],
  disabled: ["signalbox.enable"],
  "invalid-config": ["signalbox.editServer"],
  untrusted: ["signalbox.manageTrust", "signalbox.editServer"],
  "not-approved": ["signalbox.connect", "signalbox.editServer"],
  "unset-variable": ["signalbox.setSecret", "signalbox.editServer"],
  "command-not-found": ["signalbox.editServer", "signalbox.showServerLog"],
  "spawn-failed": ["signalbox.editServer", "signalbox.showServerLog"],
  "process-exited": ["signalbox.restart", "signalbox.showServerLog"],
  closed: ["signalbox.restart", "signalbox.showServerLog"],
  "session-lost": ["signalbox.restart", "signalbox.showServerLog"],
  "stream-ended": ["signalbox.restart", "signalbox.showServerLog"],
  "authorization-required": ["signalbox.editServer", "signalbox.showServerLog"],
  redirected: ["signalbox.editServer", "signalbox.showServerLog"],
  "was-modern": ["signalbox.negotiateAgain", "signalbox.showServerLog"],
  "no-common-revision": ["signalbox.allowOldRevision", "signalbox.showServerLog"],
  "pinned-revision": ["signalbox.editServer", "signalbox.showServerLog"],
  "unknown-tool": ["signalbox.refreshTools"],
  "call-declined": [],
};

/** The commands to offer beside an error message. At most two, so that the message stays readable. */
export function actionsFor(problem: unknown): readonly ProblemAction[] {
  if (!(problem instanceof CodedError)) return ["signalbox.showServerLog"];
  const code = String(problem.code);
  const actions = ACTIONS[code] ?? ["signalbox.showServerLog"];
  if (code !== "unset-variable") return actions;
  // Only a secret can be set here; an environment variable has to be set elsewhere.
  const isSecret = String(problem.args["placeholder"] ?? "").includes("secret:");
  return isSecret ? actions : actions.filter((action) => action !== "signalbox.setSecret");
}
