/** The person pressed Back. */
export const BACK = Symbol("back");

/** The step does not apply to what was chosen so far, so nothing was shown. */
export const SKIP = Symbol("skip");

/**
 * One question of a flow. Answers the state with its answer in it, `BACK`, `SKIP`, or undefined when the person
 * pressed Escape. `canGoBack` tells whether a question was asked before.
 */
export type FlowStep<S> = (
  state: S,
  canGoBack: boolean,
) => Promise<S | typeof BACK | typeof SKIP | undefined>;

/**
 * Asks one question after the other. Going back forgets the answer that is gone back over.
 * Undefined when the person left the flow: then nothing must be written.
 */
export async function runFlow<S>(steps: readonly FlowStep<S>[], initial: S): Promise<S | undefined> {
  const asked: { readonly index: number; readonly state: S }[] = [];
  let state = initial;
  let index = 0;
  for (let step = steps[index]; step !== undefined; step = steps[index]) {
    const answer = await step(state, asked.length > 0);
    if (answer === undefined) return undefined;
    if (answer === BACK) {
      const previous = asked.pop();
      if (previous === undefined) return undefined;
      ({ index, state } = previous);
      continue;
    }
    if (answer !== SKIP) {
      asked.push({ index, state });
      state = answer;
    }
    index += 1;
  }
  return state;
}
