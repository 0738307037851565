import { isIPv6 } from 'node:net';
import { lostFamily, noFamily } from '../model/system-error.js';
import type { Sample } from '../model/sample.js';
import type { Clock } from '../platform/clock.js';
import type { Family } from './missing-families.js';

/** For this long the answer is kept: the list of a host's addresses may be long. */
const keptMs = 5000;

export interface OwnFamiliesOptions {
  readonly clock: Clock;
  /** The host addresses of this agent's own node; none where it is not listed. */
  readonly ownIps: () => readonly string[];
  /** Whether this host has no address from which it could send to that one. */
  readonly lacksFamily: (ip: string) => boolean;
}

/**
 * Tells a host that never had an address family, by the addresses of its node, from one that lost its addresses. The kernel
 * says the same to both. Where there never was one, neither end is at fault: nothing was sent. What is lost, this host fails.
 */
export class OwnFamilies {
  readonly #options: OwnFamiliesOptions;
  readonly #lacked = new Map<Family, { readonly lacks: boolean; readonly untilMs: number }>();

  constructor(options: OwnFamiliesOptions) {
    this.#options = options;
  }

  /** What a sample of a probe to that address says then. */
  explain(ip: string, sample: Sample): Sample {
    if (!mayLackFamily(sample)) return sample;
    const own = this.#options.ownIps();
    if (own.length === 0 || !this.#lacks(ip)) return sample;
    const { sentMs, at } = sample;
    const wasThere = own.some((one) => isIPv6(one) === isIPv6(ip));
    return { ...(wasThere ? lostFamily() : noFamily), sentMs, at };
  }

  #lacks(ip: string): boolean {
    const { clock, lacksFamily } = this.#options;
    const family = isIPv6(ip) ? 6 : 4;
    const nowMs = clock.nowMs();
    const known = this.#lacked.get(family);
    if (known && nowMs < known.untilMs) return known.lacks;
    const lacks = lacksFamily(ip);
    this.#lacked.set(family, { lacks, untilMs: nowMs + keptMs });
    return lacks;
  }
}

/** Where there is no address to send from, a connect says that there is no port. */
function mayLackFamily(sample: Sample): boolean {
  return sample.outcome === 'failure'
    ? sample.kind === 'local'
    : sample.outcome === 'not-sent' &&
        (sample.reason === 'no-family' || sample.reason === 'no-port');
}
