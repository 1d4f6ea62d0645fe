/** Values that a message template may name in braces, as in `{server}`. */
export type MessageArgs = Readonly<Record<string, string | number>>;

/** What one error code says: the message, and what the person can do about it. Both may name arguments in braces. */
export interface MessageTemplate {
  readonly message: string;
  readonly remedy?: string;
}

/** Puts arguments into a template. A name without an argument stays as it is, so that nothing is lost. */
export function fillTemplate(template: string, args: MessageArgs): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = args[name];
    return value === undefined ? whole : String(value);
  });
}

/**
 * The base of each layer's one error class. Codes decide, texts inform: nothing may branch on `message`.
 *
 * The template and its arguments are kept apart so that the host can show the same sentence in the user's language.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly template: MessageTemplate;
  readonly args: MessageArgs;
  /** Further evidence for the log and the details view: a stderr tail, the start of an odd answer. May be long. */
  readonly detail: string | undefined;

  protected constructor(
    code: Code,
    template: MessageTemplate,
    args: MessageArgs,
    options: { readonly cause?: unknown; readonly detail?: string | undefined } = {},
  ) {
    super(
      fillTemplate(template.message, args),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = new.target.name;
    this.code = code;
    this.template = template;
    this.args = args;
    this.detail = options.detail;
  }

  /** What the person can do about it, in English, or undefined when there is nothing to say. */
  get remedy(): string | undefined {
    return this.template.remedy === undefined ? undefined : fillTemplate(this.template.remedy, this.args);
  }
}

/** A message and what can be done about it as one text; a message that quotes others may lack its full stop. */
export function joinSentences(message: string, remedy: string | undefined): string {
  if (remedy === undefined) return message;
  // What others said may be missing at the end.
  const text = message.trimEnd();
  return /[.!?…。！？]["”’)]?$/.test(text) ? `${text} ${remedy}` : `${text}. ${remedy}`;
}

/** The text of whatever was thrown, for logs and for messages that quote a foreign error. */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") {
    return error.errors.map((inner) => errorText(inner)).join("; ");
  }
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  return String(error);
}
