import { protocols, type Protocol, type Sample } from '../model/sample.js';

/** So many unsent probes in a row mean more than a full buffer. */
const minUnsentInARow = 5;

/** Tells by which protocols this host cannot send. */
export class UnsentProbes {
  readonly #inARow: Record<Protocol, number> = { icmp: 0, http: 0 };

  note(protocol: Protocol, { outcome }: Pick<Sample, 'outcome'>): void {
    this.#inARow[protocol] = outcome === 'not-sent' ? this.#inARow[protocol] + 1 : 0;
  }

  /** The protocols whose last probes could not be sent. */
  get protocols(): Protocol[] {
    return protocols.filter((protocol) => this.#inARow[protocol] >= minUnsentInARow);
  }
}
