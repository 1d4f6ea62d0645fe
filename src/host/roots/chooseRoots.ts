import type { ServerConfig } from "../../client/serverConfig.ts";
import type { AllowedFeatures } from "../features/allowedFeatures.ts";

/** A folder of the workspace. */
export interface WorkspaceFolder {
  readonly name: string;
  /** As the editor writes it: equal for equal folders. */
  readonly uri: string;
}

const PLACEHOLDER = /^\$\{workspaceFolder(?::(.+))?\}$/s;

/**
 * The folders of the workspace that a server is told of, or null when it is told of none and roots are off for it.
 * What the person chose for this workspace goes before the settings; a workspace itself can only forbid.
 * Folders that are not on this machine's disk have no place among roots.
 */
export function chooseRoots(
  config: ServerConfig,
  { folders: chosen }: AllowedFeatures,
  folders: readonly WorkspaceFolder[],
): readonly WorkspaceFolder[] | null {
  const local = folders.filter(({ uri }) => uri.startsWith("file:"));
  const isOfWorkspace = config.source === "workspace" || config.source === "folder";
  if (isOfWorkspace && config.roots === false) return null;
  if (chosen !== undefined) {
    return chosen.length === 0 ? null : local.filter(({ uri }) => chosen.includes(uri));
  }
  if (isOfWorkspace || config.roots === undefined || config.roots === false) return null;
  const { roots } = config;
  if (roots === true) return local;
  return local.filter((folder, index) => roots.some((word) => names(word, folder, index)));
}

/** A folder's name, or a placeholder; the one without a name means the first folder, as everywhere. */
function names(word: string, folder: WorkspaceFolder, index: number): boolean {
  const placeholder = PLACEHOLDER.exec(word);
  if (placeholder === null) return folder.name === word;
  return placeholder[1] === undefined ? index === 0 : folder.name === placeholder[1];
}
