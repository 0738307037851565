import { join } from 'node:path';
import type { Sample } from '../../model/sample.js';
import type { Clock } from '../../platform/clock.js';
import type { HostSource, Measure } from '../measure.js';
import { wholeOf, wordsOf } from '../numbers.js';
import { readKernelFile } from '../read-file.js';

const windowMs = 60_000;

interface Reading {
  readonly atMs: number;
  readonly connects: number;
  readonly withoutPort: number;
}

/**
 * The connects of this agent's own probes in the last minute, and those among them for which the kernel found no free port (EADDRNOTAVAIL
 * of connect(2)). How many sockets a host has says nothing: a port may be used towards many addresses at the same time. Source: the
 * kernel's Documentation/networking/ip-sysctl.rst, `ip_local_port_range`, which is of IPv4 and IPv6.
 */
export class OwnConnects implements HostSource {
  readonly signs = ['ports-exhausted'] as const;
  readonly files = 'the HTTP probes of this agent';
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #proc: string;
  #connects = 0;
  #withoutPort = 0;
  /** Those of the last minute, and the last one before it. */
  readonly #readings: Reading[];
  #because: string | undefined;

  constructor(clock: Pick<Clock, 'nowMs'>, proc: string) {
    this.#clock = clock;
    this.#proc = proc;
    this.#readings = [{ atMs: clock.nowMs(), connects: 0, withoutPort: 0 }];
  }

  /** Takes an HTTP probe. One that was not sent for another reason did not come as far as to connect. */
  note(sample: Sample): void {
    const lacksPort = sample.outcome === 'not-sent' && sample.reason === 'no-port';
    if (sample.outcome === 'not-sent' && !lacksPort) return;
    this.#connects++;
    if (lacksPort) this.#withoutPort++;
  }

  async read(): Promise<readonly Measure[]> {
    const text = await readKernelFile(join(this.#proc, 'sys/net/ipv4/ip_local_port_range'), 64);
    const atMs = this.#clock.nowMs();
    const readings = this.#readings;
    readings.push({ atMs, connects: this.#connects, withoutPort: this.#withoutPort });
    while (readings.length > 2 && atMs - (readings[1]?.atMs ?? atMs) >= windowMs) readings.shift();
    const [first] = readings;
    const outOf = this.#connects - (first?.connects ?? 0);
    this.#because = outOf === 0 ? 'this agent sent no HTTP probe in the last minute' : undefined;
    if (outOf === 0) return [];
    const value = this.#withoutPort - (first?.withoutPort ?? 0);
    return [{ sign: 'ports-exhausted', about: portRange(text), value, outOf }];
  }

  /** Why nothing is known. */
  because(): string | undefined {
    return this.#because;
  }
}

/** Such as `32768-60999`; empty where it is not known. */
export function portRange(text: string | undefined): string {
  const [first, last, ...more] = wordsOf(text).map(wholeOf);
  if (first === undefined || last === undefined || more.length > 0) return '';
  return first <= last && last <= 0xffff ? `${first}-${last}` : '';
}
