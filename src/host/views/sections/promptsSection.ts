import type { Prompt } from "../../../protocol/model/prompt.ts";
import type { Translate } from "../../../shared/translate.ts";
import { oneLine } from "../../serverText.ts";
import { nodeId, type PromptNode, type TooltipLine } from "../nodes.ts";
import { childrenOfList, headingOfList, type Section } from "./section.ts";

export const promptsSection: Section = {
  id: "prompts",
  heading: ({ lists }, t) =>
    headingOfList(lists.prompts, { label: t("Prompts"), icon: "comment-discussion" }),
  children: (entry, { lists }, context) =>
    childrenOfList(
      entry.id,
      "prompts",
      lists.prompts,
      {
        empty: context.t("This server has no prompts."),
        key: (prompt) => prompt.name,
        node: (prompt, copies) => promptNode(entry.id, prompt, copies, context.t),
      },
      context,
    ),
};

function promptNode(serverId: string, prompt: Prompt, copies: number, t: Translate): PromptNode {
  const label = oneLine(prompt.displayName);
  const name = oneLine(prompt.name);
  const tooltip: TooltipLine[] = [
    { style: "title", text: label },
    { style: "fact", name: t("Name"), text: name },
    ...(prompt.description === undefined ? [] : [{ style: "quote", text: prompt.description } as const]),
    ...prompt.arguments.map((argument): TooltipLine => {
      const shown = oneLine(argument.name);
      const text =
        argument.description === undefined ? oneLine(argument.displayName) : oneLine(argument.description);
      const fact = argument.required ? t("{name} (required)", { name: shown }) : shown;
      return { style: "fact", name: fact, text };
    }),
  ];
  return {
    kind: "prompt",
    serverId,
    promptName: prompt.name,
    item: {
      id: nodeId(serverId, "prompt", prompt.name, copies),
      label,
      ...(label === name ? {} : { description: name }),
      icon: { id: "comment" },
      contextValue: "prompt",
      tooltip,
      accessibleLabel: t("Prompt {label} of server {server}", { label, server: serverId }),
      children: "none",
      click: "getPrompt",
    },
  };
}
