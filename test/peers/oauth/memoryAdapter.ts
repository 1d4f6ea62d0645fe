/** What the provider keeps under one id. */
export interface StoredItem {
  readonly kind: string;
  readonly payload: Record<string, unknown>;
  readonly until: number;
}

/** Forgets everything of some kinds. */
export function dropWhere(store: Map<string, StoredItem>, fits: (kind: string) => boolean): void {
  for (const [key, { kind }] of store) if (fits(kind)) store.delete(key);
}

/** The provider's storage, one for each kind of thing, in a map that tests can reach into. */
export class MemoryAdapter {
  readonly #kind: string;
  readonly #store: Map<string, StoredItem>;

  constructor(kind: string, store: Map<string, StoredItem>) {
    this.#kind = kind;
    this.#store = store;
  }

  upsert(id: string, payload: Record<string, unknown>, expiresIn?: number): Promise<void> {
    const until = expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1000;
    this.#store.set(`${this.#kind}:${id}`, { kind: this.#kind, payload, until });
    return Promise.resolve();
  }

  find(id: string): Promise<Record<string, unknown> | undefined> {
    const item = this.#store.get(`${this.#kind}:${id}`);
    return Promise.resolve(item !== undefined && item.until > Date.now() ? { ...item.payload } : undefined);
  }

  findByUid(uid: string): Promise<Record<string, unknown> | undefined> {
    return Promise.resolve(this.#findWhere("uid", uid));
  }

  findByUserCode(userCode: string): Promise<Record<string, unknown> | undefined> {
    return Promise.resolve(this.#findWhere("userCode", userCode));
  }

  consume(id: string): Promise<void> {
    const item = this.#store.get(`${this.#kind}:${id}`);
    if (item !== undefined) item.payload["consumed"] = Math.floor(Date.now() / 1000);
    return Promise.resolve();
  }

  destroy(id: string): Promise<void> {
    this.#store.delete(`${this.#kind}:${id}`);
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { kind, payload }] of this.#store) {
      if (kind === this.#kind && payload["grantId"] === grantId) this.#store.delete(key);
    }
    return Promise.resolve();
  }

  #findWhere(name: string, value: string): Record<string, unknown> | undefined {
    const found = [...this.#store.values()].find(
      ({ kind, payload }) => kind === this.#kind && payload[name] === value,
    );
    return found === undefined ? undefined : { ...found.payload };
  }
}
