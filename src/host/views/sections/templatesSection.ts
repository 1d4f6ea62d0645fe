import type { ResourceTemplate } from "../../../protocol/model/resource.ts";
import type { Translate } from "../../../shared/translate.ts";
import { oneLine } from "../../serverText.ts";
import { nodeId, type TemplateNode, type TooltipLine } from "../nodes.ts";
import { childrenOfList, headingOfList, isUnknownMethod, type Section } from "./section.ts";

export const templatesSection: Section = {
  id: "templates",
  heading: ({ lists: { templates } }, t) => {
    // Resources announce templates too, so having none of them is no news, and neither is having no list of them.
    const isNone =
      (templates.kind === "listed" && templates.items.length === 0 && templates.warnings.length === 0) ||
      (templates.kind === "failed" && isUnknownMethod(templates.problem)) ||
      templates.kind === "unread";
    return isNone ? undefined : headingOfList(templates, { label: t("Templates"), icon: "symbol-parameter" });
  },
  children: (entry, { lists }, context) =>
    childrenOfList(
      entry.id,
      "templates",
      lists.templates,
      {
        empty: context.t("This server lists no templates."),
        key: (template) => template.uriTemplate,
        node: (template, copies) => templateNode(entry.id, template, copies, context.t),
      },
      context,
    ),
};

function templateNode(
  serverId: string,
  template: ResourceTemplate,
  copies: number,
  t: Translate,
): TemplateNode {
  const label = oneLine(template.displayName);
  const uriTemplate = oneLine(template.uriTemplate, 1_000);
  const tooltip: TooltipLine[] = [
    { style: "title", text: label },
    { style: "fact", name: t("Template"), text: uriTemplate },
    ...(template.mimeType === undefined
      ? []
      : [{ style: "text", text: oneLine(template.mimeType, 60) } as const]),
    ...(template.description === undefined ? [] : [{ style: "quote", text: template.description } as const]),
  ];
  return {
    kind: "template",
    serverId,
    uriTemplate: template.uriTemplate,
    item: {
      id: nodeId(serverId, "template", template.uriTemplate, copies),
      label,
      ...(label === uriTemplate ? {} : { description: uriTemplate }),
      icon: { id: "symbol-parameter" },
      contextValue: "template",
      tooltip,
      accessibleLabel: t("Resource template {label} of server {server}, {template}", {
        label,
        server: serverId,
        template: uriTemplate,
      }),
      children: "none",
      click: "openTemplate",
    },
  };
}
