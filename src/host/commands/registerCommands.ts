import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { CodedError } from "../../base/errors.ts";
import { reportProblem } from "../report.ts";
import type { HostServices } from "../services.ts";
import { serverIdOf } from "./chooseServer.ts";
import type { CommandId, CommandTable } from "./table.ts";

/** Registers every command. What a handler throws is reported here, once, and the command answers undefined. */
export function registerCommands(services: HostServices, handlers: CommandTable): Disposable {
  const store = new DisposableStore();
  for (const id of commandIds(handlers)) {
    // The editor passes whatever it likes; each handler checks what it is given.
    const handler = handlers[id] as (...args: unknown[]) => Promise<unknown>;
    store.add(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          return await handler(...args);
        } catch (problem) {
          // Not awaited: a notification may stay open for as long as it likes.
          void reportProblem(services, problem, serverOf(problem, args));
          return undefined;
        }
      }),
    );
  }
  return store;
}

/** The ids of a table, with the type that its keys have. */
function commandIds(handlers: CommandTable): readonly CommandId[] {
  return Object.keys(handlers) as CommandId[];
}

/** The server whose log has more: only one that exists has a log. */
function serverOf(problem: unknown, args: readonly unknown[]): string | undefined {
  if (problem instanceof CodedError && problem.code === "no-such-server") return undefined;
  return serverIdOf(args[0]);
}
