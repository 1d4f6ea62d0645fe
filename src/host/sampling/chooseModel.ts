/** A model as far as the choice among several is concerned. */
export interface ModelFacts {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
}

/** Which model to begin with, and why. The person can take another one. */
export interface ModelPreselection<T extends ModelFacts> {
  readonly model: T;
  readonly reason: "remembered" | "hint" | "first";
  /** The hint that was met. */
  readonly hint?: string;
}

/**
 * Chooses the model to begin with: the one that the person took for this server before, else the first hint that is
 * part of a model's name, in the server's order, else the first model. Priorities are claims without a measure here.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#model-preferences
 */
export function chooseModel<T extends ModelFacts>(
  models: readonly T[],
  hints: readonly string[],
  remembered: string | undefined,
): ModelPreselection<T> | undefined {
  const known = models.find(({ id }) => id === remembered);
  if (known !== undefined) return { model: known, reason: "remembered" };
  for (const hint of hints) {
    const wanted = hint.toLowerCase();
    const match = models.find(({ id, name, vendor, family }) =>
      [id, name, family, `${vendor}/${family}`].some((text) => text.toLowerCase().includes(wanted)),
    );
    if (match !== undefined) return { model: match, reason: "hint", hint };
  }
  const [first] = models;
  return first === undefined ? undefined : { model: first, reason: "first" };
}
