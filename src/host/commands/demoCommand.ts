import * as vscode from "vscode";
import { writeEntries } from "../config/writeServer.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import type { HostServices } from "../services.ts";
import type { ServersTree } from "../views/serversTree.ts";
import type { Handlers } from "./table.ts";

const DEMO_ID = "demo";

/** Try the Demo Server: a server that comes with the extension, so that everything can be tried without another one. */
export function demoCommand(
  services: HostServices,
  config: ConfigWatcher,
  tree: ServersTree,
): Handlers<"signalbox.tryDemo"> {
  return {
    async "signalbox.tryDemo"() {
      // An entry of that name that the person has made their own is left alone.
      if (services.pool.get(DEMO_ID) === undefined) {
        await writeEntries(
          services.context,
          { source: "user" },
          {
            [DEMO_ID]: {
              type: "stdio",
              command: "${nodePath}",
              args: ["${extensionPath}/dist/demo.mjs", "--stdio"],
              skills: true,
              description: vscode.l10n.t(
                "The demo server that comes with Signalbox: a small cloud of databases.",
              ),
            },
          },
        );
        await config.reload();
      }
      await vscode.commands.executeCommand("signalbox.servers.focus");
      await vscode.commands.executeCommand("signalbox.connect", DEMO_ID);
      await tree.reveal(DEMO_ID);
      return services.pool.get(DEMO_ID)?.state;
    },
  };
}
