import type { ConfigWatcher } from "../config/watchConfig.ts";
import type { HostServices } from "../services.ts";
import type { InfoDocuments } from "../views/infoDocuments.ts";
import type { ServersTree } from "../views/serversTree.ts";
import { addServerCommand } from "./addServer.ts";
import { connectionCommands } from "./connectionCommands.ts";
import { demoCommand } from "./demoCommand.ts";
import { editServerCommand } from "./editServer.ts";
import { removeServerCommand } from "./removeServer.ts";
import { secretCommands } from "./secretCommands.ts";
import { settingsCommands } from "./settingsCommands.ts";
import type { CommandTable } from "./table.ts";
import { toolCommands } from "./toolCommands.ts";
import { viewCommands } from "./viewCommands.ts";

/** What commands need beside the services. */
export interface CommandParts {
  readonly config: ConfigWatcher;
  readonly tree: ServersTree;
  readonly documents: InfoDocuments;
}

/** All handlers. A command without one does not compile. */
export function createHandlers(
  services: HostServices,
  { config, tree, documents }: CommandParts,
): CommandTable {
  return {
    ...addServerCommand(services, config, tree),
    ...editServerCommand(services, config),
    ...removeServerCommand(services, config),
    ...settingsCommands(services, config),
    ...connectionCommands(services),
    ...viewCommands(services, documents),
    ...toolCommands(services),
    ...secretCommands(services, config),
    ...demoCommand(services, config, tree),
  };
}
