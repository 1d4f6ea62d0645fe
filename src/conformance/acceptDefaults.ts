import type { FormField, FormValue, InputHandler, InputResponse } from "../protocol/mrtr/inputRequired.ts";

/** Accepts every form with its defaults, as a person would who only presses Submit. */
export const acceptDefaults: InputHandler = {
  modes: { form: true, url: false },
  handle(round) {
    const answers = round.requests.map((request): [string, InputResponse] => [
      request.key,
      request.kind === "form"
        ? { action: "accept", content: defaultsOf(request.form.fields) }
        : { action: "cancel" },
    ]);
    return Promise.resolve(new Map(answers));
  },
};

function defaultsOf(fields: readonly FormField[]): Record<string, FormValue> {
  const content: Record<string, FormValue> = {};
  for (const field of fields) {
    const value = field.default ?? (field.required ? filler(field) : undefined);
    if (value !== undefined) content[field.name] = value;
  }
  return content;
}

function filler(field: FormField): FormValue {
  switch (field.kind) {
    case "boolean":
      return true;
    case "number":
      return field.minimum ?? 1;
    case "choice":
      return field.options[0]?.value ?? "";
    case "choices":
      return field.options.slice(0, field.minItems ?? 1).map((option) => option.value);
    case "text":
      return "text";
  }
}
