const key = 'meshprobe-api-token';

/** Keeps the API token while the tab is open. It is sent to the agent only. */
export class TokenStore {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
    this.#storage = storage;
  }

  get(): string | undefined {
    return this.#storage.getItem(key) ?? undefined;
  }

  set(token: string): void {
    this.#storage.setItem(key, token);
  }

  clear(): void {
    this.#storage.removeItem(key);
  }
}
