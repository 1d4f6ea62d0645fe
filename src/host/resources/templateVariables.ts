import type { TemplateValues, TemplateVariable } from "../../protocol/resources/uriTemplate.ts";

/**
 * The variables that an address can do without: those of queries, parameters and fragments. Without the others it
 * would most likely name something else.
 */
export function optionalVariables(template: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, expression = ""] of template.matchAll(/\{[?&;#]([^}]*)\}/g)) {
    for (const part of expression.split(",")) names.add(part.replace(/\*$|:\d+$/g, ""));
  }
  return names;
}

/** What was typed, as values of the template: a variable for several takes them with commas between. */
export function toTemplateValues(
  variables: readonly TemplateVariable[],
  typed: Readonly<Record<string, string>>,
): TemplateValues {
  const values: Record<string, string | readonly string[]> = {};
  for (const { name, explode } of variables) {
    const text = typed[name];
    if (text === undefined) continue;
    values[name] = explode ? text.split(",").map((part) => part.trim()) : text;
  }
  return values;
}
