const key = 'meshprobe-api-token';

/** The API token, kept for as long as the tab is open and sent to nobody but the agent. */
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
