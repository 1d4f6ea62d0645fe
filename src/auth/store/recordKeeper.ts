import { abortable } from "../../base/abortable.ts";
import { CallScope } from "../../base/callScope.ts";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import { errorText } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { AuthError } from "../authError.ts";
import type { CredentialStore } from "../model/credentialStore.ts";
import type { Credential } from "./credential.ts";
import { type DecodedRecord, decodeRecord, encodeRecord } from "./record.ts";
import { type RecordBinding, recordKey } from "./recordBinding.ts";

/** What the store has for a server now. `failed`: nobody knows, because it could not be read. */
export type KeptRecord = DecodedRecord | { readonly kind: "absent" } | { readonly kind: "failed" };

export interface RecordKeeperOptions {
  readonly store: CredentialStore;
  readonly binding: RecordBinding;
  readonly clock: Clock;
  readonly log: Log;
}

/** A store may have to ask the system's keychain, and that a person. */
const STORE_MS = 10_000;

/** The record of one server in a store. */
export class RecordKeeper {
  readonly key: string;
  readonly #options: RecordKeeperOptions;

  constructor(options: RecordKeeperOptions) {
    this.#options = options;
    this.key = recordKey(options.binding);
  }

  /** Never rejects. */
  async read(): Promise<KeptRecord> {
    try {
      const text = await this.#within(this.#options.store.get(this.key));
      return text === undefined || text === ""
        ? { kind: "absent" }
        : decodeRecord(text, this.#options.binding);
    } catch (error) {
      this.#options.log.write("error", `The stored credential cannot be read: ${errorText(error)}`);
      return { kind: "failed" };
    }
  }

  /** Writes and reads back. Rejects with AuthError `store-failed`. */
  async write(credential: Credential): Promise<void> {
    const { store, binding } = this.#options;
    try {
      const text = encodeRecord(credential, binding);
      if (decodeRecord(text, binding).kind !== "usable") throw new Error("it could not be read back");
      await this.#within(store.set(this.key, text));
      if ((await this.#within(store.get(this.key))) !== text) throw new Error("it was not there afterwards");
    } catch (error) {
      throw this.#failure("store-failed", error);
    }
  }

  /** Rejects with AuthError `store-delete-failed`. */
  async remove(): Promise<void> {
    const { store } = this.#options;
    try {
      await this.#within(store.delete(this.key));
    } catch (error) {
      // What cannot be deleted may yet be emptied: an empty record is none.
      await this.#within(store.set(this.key, "")).catch(() => {
        throw this.#failure("store-delete-failed", error);
      });
    }
  }

  /** Tells when another window may have changed the record. */
  onDidChange(listener: () => void): Disposable {
    return this.#options.store.onDidChange((key) => {
      if (key === this.key) listener();
    });
  }

  #failure(code: "store-failed" | "store-delete-failed", error: unknown): AuthError {
    const server = this.#options.binding.settings.serverName;
    return new AuthError(code, { server, reason: errorText(error) });
  }

  async #within<T>(work: Promise<T>): Promise<T> {
    const scope = new CallScope({
      clock: this.#options.clock,
      maximumMs: STORE_MS,
      timeoutError: (limitMs) => new Error(`no answer of the credential store within ${limitMs / 1000} s`),
    });
    try {
      return await abortable(work, scope.signal);
    } finally {
      scope.dispose();
    }
  }
}
