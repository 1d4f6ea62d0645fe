import { StdUriTemplate } from "@std-uritemplate/std-uritemplate";
import { errorText } from "../../base/errors.ts";
import { EngineError } from "../engineError.ts";
import { shorten } from "../shorten.ts";

/** One variable of a template, by the first place where it stands. */
export interface TemplateVariable {
  readonly name: string;
  /** True with `*`: a list of values is written as several parts. */
  readonly explode: boolean;
  /** The number of characters that are used, where the template cuts the value. */
  readonly prefix?: number;
}

/** What a template text is: the variables to ask for, or the reason why it cannot be filled in. */
export type ReadTemplate =
  | { readonly kind: "template"; readonly variables: readonly TemplateVariable[] }
  | { readonly kind: "broken"; readonly reason: string };

/** Values by variable name. A variable without a value leaves its part out, which the RFC wants. */
export type TemplateValues = Readonly<Record<string, string | readonly string[]>>;

/** A longer template is not one that a person fills in. */
const MAX_LENGTH = 8_192;
const OPERATOR = /^[+#./;?&]/;

/**
 * Reads a URI template of any level.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
export function readUriTemplate(template: string): ReadTemplate {
  if (template.length > MAX_LENGTH)
    return { kind: "broken", reason: `it has more than ${String(MAX_LENGTH)} characters` };
  try {
    expand(template, {});
  } catch (error) {
    return { kind: "broken", reason: shorten(errorText(error)) };
  }
  const variables = new Map<string, TemplateVariable>();
  for (const [, expression = ""] of template.matchAll(/\{([^}]*)\}/g)) {
    for (const part of expression.replace(OPERATOR, "").split(",")) {
      const [name = "", prefix] = part.replace(/\*$/, "").split(":");
      if (variables.has(name)) continue;
      variables.set(name, {
        name,
        explode: part.endsWith("*"),
        ...(prefix !== undefined && { prefix: Number(prefix) }),
      });
    }
  }
  return { kind: "template", variables: [...variables.values()] };
}

/**
 * Fills in a template. An empty text is a value; a variable that is not named has none.
 *
 * @throws EngineError `broken-template`
 */
export function expandUriTemplate(serverName: string, template: string, values: TemplateValues): string {
  const read = readUriTemplate(template);
  const broken = (reason: string): EngineError =>
    new EngineError("broken-template", { server: serverName, template: shorten(template), reason });
  if (read.kind === "broken") throw broken(read.reason);
  try {
    return expand(template, values);
  } catch (error) {
    // Half of a surrogate pair, for example.
    throw broken(shorten(errorText(error)));
  }
}

/** The library looks names up as they come: `toString` must not be found where nobody gave a value. */
function expand(template: string, values: TemplateValues): string {
  return StdUriTemplate.expand(template, { __proto__: null, ...values });
}
