import { networkInterfaces } from 'node:os';

/** A host may have hundreds of interfaces, and listing them takes a millisecond. */
const renewEveryMs = 60_000;

/** Tells the names of the interfaces that carry the addresses of this node. */
export class OwnInterfaces {
  readonly #addresses: () => readonly string[];
  #names: ReadonlySet<string> = new Set();
  #key = '';
  #renewMs = -Infinity;

  /** @param addresses the host addresses of the own node, as they are listed */
  constructor(addresses: () => readonly string[]) {
    this.#addresses = addresses;
  }

  /** Of the interfaces that have one of the addresses; of a node that is not listed none. */
  names(nowMs: number): ReadonlySet<string> {
    const addresses = this.#addresses();
    const key = addresses.join();
    if (key === this.#key && nowMs < this.#renewMs) return this.#names;
    this.#key = key;
    this.#renewMs = nowMs + renewEveryMs;
    const own = new Set(addresses);
    this.#names = new Set(
      Object.entries(networkInterfaces()).flatMap(([name, entries = []]) =>
        entries.some(({ address, internal }) => !internal && own.has(address)) ? [name] : [],
      ),
    );
    return this.#names;
  }
}
