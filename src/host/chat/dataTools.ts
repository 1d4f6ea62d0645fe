import * as z from "zod";
import type { ServerEntry } from "../../client/serverPool.ts";
import { hasPrompts, hasResources } from "../listsOf.ts";
import { hasSkills } from "../skills/skillsOf.ts";
import { visibleServers } from "./chatTargets.ts";
import type { ModelTool } from "./chatTools.ts";

/** The one of them that only lists. */
export const LIST_TOOL = "signalbox_list_resources";

/** The others, each with what a server must have for it. */
const SERVES = {
  signalbox_read_resource: hasResources,
  signalbox_get_prompt: hasPrompts,
  signalbox_read_skill: hasSkills,
} as const;

export type ReaderName = keyof typeof SERVES;

const manifest = z.object({
  contributes: z.object({
    languageModelTools: z.array(
      z.object({
        name: z.string(),
        modelDescription: z.string(),
        inputSchema: z.custom<ModelTool["inputSchema"]>((value) => typeof value === "object"),
      }),
    ),
  }),
});

/** The tools with which any agent reads resources, prompts and skills, as the manifest describes them. */
export function readDataTools(packageJson: unknown): readonly ModelTool[] {
  return manifest
    .parse(packageJson)
    .contributes.languageModelTools.filter(({ name }) => isDataTool(name))
    .map(({ name, modelDescription, inputSchema }) => ({ name, description: modelDescription, inputSchema }));
}

/** Those of them for which a server has something; none where no server has anything to read. */
export function offerDataTools(
  tools: readonly ModelTool[],
  servers: readonly ServerEntry[],
): readonly ModelTool[] {
  const visible = visibleServers(servers);
  const readable = tools.filter(({ name }) => isReader(name) && visible.some(SERVES[name]));
  return readable.length === 0 ? [] : [...tools.filter(({ name }) => name === LIST_TOOL), ...readable];
}

/** Whether a model means one of these. No name of a server's tool is one: those have two underscores. */
export function isDataTool(name: string): name is ReaderName | typeof LIST_TOOL {
  return name === LIST_TOOL || isReader(name);
}

function isReader(name: string): name is ReaderName {
  return Object.hasOwn(SERVES, name);
}
