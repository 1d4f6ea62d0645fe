import { type Disposable, toDisposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";

/** A sign-in that waits for the browser. */
export interface WaitingSignIn {
  readonly serverName: string;
  /** Where the browser was sent, or has to be sent by hand. It is good for this sign-in alone, and not to be logged. */
  readonly address: string | undefined;
  /** True when the address that the browser ended on can be pasted. */
  readonly takesAddress: boolean;
}

interface Entry {
  address: string | undefined;
  take: ((address: string) => void) | undefined;
}

/** The sign-ins of this window that wait for the browser, so that commands can reach them. */
export class SignInDesk implements Disposable {
  readonly #entries = new Map<string, Entry>();
  readonly #shown = new Set<string>();
  readonly #changed = new Emitter<void>();
  /** Fires when `waiting` may have changed. */
  readonly onDidChange = this.#changed.event;

  /** In the order in which they began. */
  get waiting(): readonly WaitingSignIn[] {
    return [...this.#entries].map(([serverName, { address, take }]) => ({
      serverName,
      address,
      takesAddress: take !== undefined,
    }));
  }

  /** Takes it upon oneself to show how a sign-in goes on, unless somebody does already. The answer ends it. */
  claim(serverName: string): Disposable | undefined {
    if (this.#shown.has(serverName)) return undefined;
    this.#shown.add(serverName);
    return toDisposable(() => this.#shown.delete(serverName));
  }

  /** Keeps the address of a sign-in while the signal lasts. */
  noteAddress(serverName: string, address: string, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#entryOf(serverName).address = address;
    signal.addEventListener("abort", () => {
      const entry = this.#entries.get(serverName);
      if (entry?.address === address) this.#drop(serverName, { address: undefined });
    });
    this.#changed.fire();
  }

  /** Resolves with the address that the person pastes; rejects with the reason of the signal. */
  takeAddress(serverName: string, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const take = (address: string): void => {
        signal.removeEventListener("abort", end);
        resolve(address);
        this.#drop(serverName, { take });
      };
      const end = (): void => {
        reject(signal.reason as Error);
        this.#drop(serverName, { take });
      };
      signal.addEventListener("abort", end, { once: true });
      this.#entryOf(serverName).take = take;
      this.#changed.fire();
    });
  }

  /** Hands over what the person pasted; false when nothing waits for it any more. */
  paste(serverName: string, address: string): boolean {
    const take = this.#entries.get(serverName)?.take;
    take?.(address);
    return take !== undefined;
  }

  /** Forgets a sign-in that is over. */
  end(serverName: string): void {
    if (this.#entries.delete(serverName)) this.#changed.fire();
  }

  dispose(): void {
    this.#entries.clear();
    this.#changed.dispose();
  }

  #entryOf(serverName: string): Entry {
    const known = this.#entries.get(serverName);
    if (known !== undefined) return known;
    const made: Entry = { address: undefined, take: undefined };
    this.#entries.set(serverName, made);
    return made;
  }

  /** Takes one thing from an entry, unless a newer one is there, and the entry when nothing is left. */
  #drop(serverName: string, gone: { readonly address?: undefined; readonly take?: Entry["take"] }): void {
    const entry = this.#entries.get(serverName);
    if (entry === undefined) return;
    if ("address" in gone) entry.address = undefined;
    if (gone.take !== undefined && entry.take === gone.take) entry.take = undefined;
    if (entry.address === undefined && entry.take === undefined) this.#entries.delete(serverName);
    this.#changed.fire();
  }
}
