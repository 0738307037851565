import { listInterfaces } from '../platform/list-interfaces.js';

/** A host may have hundreds of interfaces, and listing them takes a millisecond. */
const renewEveryMs = 60_000;

/** The names of interfaces with their hardware addresses. */
export type WatchedInterfaces = ReadonlyMap<string, string>;

/** Tells the interfaces that carry the addresses of this node. */
export class OwnInterfaces {
  readonly #addresses: () => readonly string[];
  #watched: WatchedInterfaces = new Map();
  #key = '';
  #renewMs = -Infinity;

  /** @param addresses the host addresses of the own node, as they are listed */
  constructor(addresses: () => readonly string[]) {
    this.#addresses = addresses;
  }

  /** Of the interfaces that have one of the addresses; of a node that is not listed none. */
  watched(nowMs: number): WatchedInterfaces {
    const addresses = this.#addresses();
    const key = addresses.join();
    if (key === this.#key && nowMs < this.#renewMs) return this.#watched;
    const interfaces = listInterfaces();
    if (!interfaces) return this.#watched;
    // One without a carrier is not listed, and is theirs all the same.
    const away = key === this.#key ? [...this.#watched].filter(([name]) => !interfaces[name]) : [];
    this.#key = key;
    this.#renewMs = nowMs + renewEveryMs;
    const own = new Set(addresses);
    const found = Object.entries(interfaces).flatMap(([name, entries = []]) => {
      const one = entries.find(({ address, internal }) => !internal && own.has(address));
      return one ? [[name, one.mac] as const] : [];
    });
    this.#watched = new Map([...away, ...found]);
    return this.#watched;
  }
}
