/** Leaves it to settings and server how to sign in: content with any sign-in that is under way. */
export const PLAIN = "plain";

interface SignInUnderWay {
  readonly way: string;
  readonly run: Promise<void>;
  readonly giveUp: AbortController;
}

/**
 * The sign-ins that commands have begun, one for each server. A second one in the same way joins the first. One in
 * another way takes its place, because the person may have seen the first get stuck on a page of the browser, where
 * nobody can tell this extension.
 */
export class UnderWay {
  readonly #runs = new Map<string, SignInUnderWay>();
  readonly #reason: () => unknown;

  /** `reason`: what a sign-in ends with that is given up. */
  constructor(reason: () => unknown) {
    this.#reason = reason;
  }

  /**
   * The sign-in of a server, and whether it was begun for this caller. None is joined that `isInBrowser`: the page may
   * have been closed.
   */
  async join(
    id: string,
    way: string,
    begin: (signal: AbortSignal) => Promise<void>,
    isInBrowser = false,
  ): Promise<{ readonly run: Promise<void>; readonly isFirst: boolean }> {
    let mayJoin = !isInBrowser;
    for (;;) {
      const known = this.#runs.get(id);
      if (known === undefined) return { run: this.#begin(id, way, begin), isFirst: true };
      const isAlike = way === PLAIN || way === known.way;
      if (mayJoin && isAlike) return { run: known.run, isFirst: false };
      // What somebody else begins meanwhile has just begun.
      mayJoin = true;
      known.giveUp.abort(this.#reason());
      await known.run.catch(() => undefined);
    }
  }

  #begin(id: string, way: string, begin: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const giveUp = new AbortController();
    const run = begin(giveUp.signal).finally(() => {
      this.#runs.delete(id);
    });
    this.#runs.set(id, { way, run, giveUp });
    return run;
  }
}
