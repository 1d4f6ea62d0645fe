import type { SignInDesk } from "../auth/signInDesk.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import type { HostServices } from "../services.ts";
import type { PromptDocuments } from "../prompts/promptDocuments.ts";
import type { ResourceParts } from "../resources/openResource.ts";
import { skillCommands } from "../skills/skillCommands.ts";
import { taskCommands } from "../tasks/taskCommands.ts";
import type { ServersTree } from "../views/serversTree.ts";
import { addServerCommand } from "./addServer.ts";
import { authorizationCommands } from "./authorizationCommands.ts";
import { connectionCommands } from "./connectionCommands.ts";
import { demoCommand } from "./demoCommand.ts";
import { editServerCommand } from "./editServer.ts";
import { logLevelCommand } from "./logLevelCommand.ts";
import { type FeatureParts, foldersCommand, samplingCommands } from "./featureCommands.ts";
import { promptCommands } from "./promptCommands.ts";
import { removeServerCommand } from "./removeServer.ts";
import { resourceCommands } from "./resourceCommands.ts";
import { secretCommands } from "./secretCommands.ts";
import { settingsCommands } from "./settingsCommands.ts";
import { signInCommands } from "./signInCommands.ts";
import type { CommandTable } from "./table.ts";
import { templateCommand } from "./templateCommand.ts";
import { toolCommands } from "./toolCommands.ts";
import { viewCommands } from "./viewCommands.ts";

/** What commands need beside the services. */
export interface CommandParts {
  readonly config: ConfigWatcher;
  readonly tree: ServersTree;
  readonly resources: ResourceParts;
  readonly prompts: PromptDocuments;
  readonly features: FeatureParts;
  readonly desk: SignInDesk;
}

/** All handlers. A command without one does not compile. */
export function createHandlers(
  services: HostServices,
  { config, tree, resources, prompts, features, desk }: CommandParts,
): CommandTable {
  return {
    ...addServerCommand(services, config, tree),
    ...editServerCommand(services, config),
    ...removeServerCommand(services, config),
    ...settingsCommands(services, config),
    ...logLevelCommand(services, config),
    ...samplingCommands(services, config, features),
    ...foldersCommand(services, features),
    ...connectionCommands(services),
    ...signInCommands(services, desk),
    ...authorizationCommands(services, resources.documents, desk),
    ...viewCommands(services, resources.documents),
    ...toolCommands(services),
    ...resourceCommands(services, resources),
    ...templateCommand(services, resources),
    ...promptCommands(services, prompts),
    ...skillCommands(services, resources),
    ...taskCommands(services),
    ...secretCommands(services, config),
    ...demoCommand(services, config, tree),
  };
}
