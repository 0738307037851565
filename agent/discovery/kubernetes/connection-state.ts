/** The state of the connection with the server. */
export interface ListWatchState {
  /** How many lists were read whole. */
  readonly lists: number;
  /** Epoch milliseconds when the server last said something; undefined before it ever did. */
  readonly heardAt: number | undefined;
  /** Epoch milliseconds since nothing works; undefined while all is well. */
  readonly failingSince: number | undefined;
  readonly lastError: string | undefined;
  /** The HTTP status of that, where the server has answered. */
  readonly lastStatus: number | undefined;
  /** Whether changes come as rows of a Table, or as whole objects; undefined before the first one. */
  readonly form: 'rows' | 'objects' | undefined;
}

/** Keeps the state of the connection with the server, and tells of each change but that it was heard. */
export class ConnectionState {
  readonly #onState: (state: ListWatchState) => void;
  #state: ListWatchState = {
    lists: 0,
    heardAt: undefined,
    failingSince: undefined,
    lastError: undefined,
    lastStatus: undefined,
    form: undefined,
  };

  constructor(onState: (state: ListWatchState) => void) {
    this.#onState = onState;
  }

  get now(): ListWatchState {
    return this.#state;
  }

  /** Takes that the server said something. */
  noteHeard(): void {
    this.#state = { ...this.#state, heardAt: Date.now() };
  }

  /** Takes how changes come. */
  noteForm(form: 'rows' | 'objects'): void {
    if (this.#state.form !== form) this.#report({ form });
  }

  /** Takes that something failed. It fails since the first one. */
  noteFailure(lastError: string, lastStatus: number | undefined): void {
    this.#report({ failingSince: this.#state.failingSince ?? Date.now(), lastError, lastStatus });
  }

  /** Takes that it works again. */
  noteWell(): void {
    if (this.#state.failingSince !== undefined) this.#report({ failingSince: undefined });
  }

  /** Takes that a list was read whole. */
  noteList(): void {
    this.#report({ failingSince: undefined, lists: this.#state.lists + 1 });
  }

  #report(change: Partial<ListWatchState>): void {
    this.#state = { ...this.#state, ...change };
    this.#onState(this.#state);
  }
}
