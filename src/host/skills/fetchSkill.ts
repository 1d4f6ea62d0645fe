import * as vscode from "vscode";
import { ClientError } from "../../client/clientError.ts";
import type { VerifiedFile } from "../../protocol/model/skill.ts";
import { withLateProgress } from "../lateProgress.ts";
import type { FetchedResource } from "../resources/fetchResource.ts";
import { fileNameOf } from "../resources/fileNameOf.ts";
import type { ResourceFiles } from "../resources/resourceFiles.ts";
import { oneLine } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { toContents } from "./toContents.ts";
import { type SkillAddress, skillsOf } from "./skillsOf.ts";

/** Reads a file of a skill for a person, and keeps it for the editor once it is verified. Rejects with why it is not. */
export async function fetchSkill(
  services: Pick<HostServices, "pool">,
  files: ResourceFiles,
  { serverId, skill, file }: SkillAddress,
): Promise<FetchedResource> {
  const entry = services.pool.get(serverId);
  if (entry === undefined) throw new ClientError("no-such-server", { server: serverId });
  const listed = skillsOf(entry).find((each) => each.skill.uri === skill);
  const label = oneLine(listed?.skill.name ?? skill, 80);
  const title = vscode.l10n.t("Reading the skill {skill} of {server}…", { skill: label, server: serverId });
  const { result } = await withLateProgress(title, (signal) =>
    services.pool.readSkill(serverId, { skill, file }, { origin: "panel", signal }),
  );
  const address = { serverId, uri: result.file.uri, part: 0, skill: result.skill.uri };
  const kept = files.keep(address, toContents(result));
  return { address, kept, fileName: nameOf(result) };
}

/** Every skill has a SKILL.md, so the tab says whose it is. */
function nameOf({ skill, file, mimeType }: VerifiedFile): string {
  const name = fileNameOf({ uri: file.uri, mimeType });
  return file.uri === skill.uri ? fileNameOf({ uri: file.uri, displayName: `${skill.name} ${name}` }) : name;
}
