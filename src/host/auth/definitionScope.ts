import type { ConfigSource } from "../../client/serverConfig.ts";

/**
 * The place of a definition, as one text: servers of one name in two folders share no sign-in.
 *
 * @param source where the definition says that it is from
 * @param origin where a server of its name is defined now. The settings may have changed since: a definition of the
 * workspace must not come to what was kept for the user's own, not even to find that it does not fit and to delete it.
 * @param workspace the address of the workspace's file or first folder
 */
export function definitionScope(
  source: ConfigSource,
  origin: { readonly source: ConfigSource; readonly folder?: string | undefined } | undefined,
  workspace: string,
): string {
  if (origin?.source !== source) return `outdated ${source}`;
  switch (source) {
    case "folder":
      return `folder ${origin.folder ?? ""}`;
    case "workspace":
      return `workspace ${workspace}`;
    default:
      return "user";
  }
}
