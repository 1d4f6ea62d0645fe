import * as z from "zod";

const common = {
  id: z.string().min(1),
  description: z.string().optional(),
  default: z.string().optional(),
};

const promptString = z.object({
  type: z.literal("promptString"),
  ...common,
  password: z.boolean().default(false),
});

const pickString = z.object({
  type: z.literal("pickString"),
  ...common,
  options: z.array(z.union([z.string(), z.object({ label: z.string(), value: z.string() })])).min(1),
});

const definition = z.discriminatedUnion("type", [promptString, pickString]);

/** One entry of the setting `signalbox.inputs`: a question whose answer a `${input:id}` placeholder stands for. */
export type InputDefinition = z.infer<typeof definition>;

/** Reads the setting. An entry that is none is left out, and its placeholder is then reported as not set. */
export function parseInputs(value: unknown): ReadonlyMap<string, InputDefinition> {
  const found = new Map<string, InputDefinition>();
  if (!Array.isArray(value)) return found;
  for (const entry of value) {
    const parsed = definition.safeParse(entry);
    if (parsed.success) found.set(parsed.data.id, parsed.data);
  }
  return found;
}
