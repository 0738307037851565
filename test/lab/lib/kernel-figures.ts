import { readFile } from 'node:fs/promises';
import { runIn } from './command.js';
import type { Claim } from './host-ledger.js';
import type { Lab } from './lab.js';

/** A reading of an agent and one of the test are seconds apart. */
const slackPercent = 3;
const pressures = {
  'cpu-pressure': ['cpu', 'some'],
  'memory-pressure': ['memory', 'full'],
} as const;

/**
 * What the kernel itself counts. A fault makes some signs too, and the machine that all hosts share may really have too
 * few processors: then an agent that says so is right.
 */
export class KernelFigures {
  readonly #most = new Map<string, number>();
  #resent = new Map<string, number>();

  /** Begins to count what is sent again, from now on. */
  async begin({ hosts }: Lab): Promise<void> {
    const counts = hosts.map(async (host) => [host.name, await resentOn(host.namespace)] as const);
    this.#resent = new Map(await Promise.all(counts));
  }

  /** Reads how long work waits. Call it often. */
  async look(): Promise<void> {
    for (const [sign, [file, line]] of Object.entries(pressures)) {
      const text = await readFile(`/proc/pressure/${file}`, 'utf8').catch(() => '');
      const share = Number(new RegExp(`^${line} .*avg60=([0-9.]+)`, 'm').exec(text)?.[1] ?? 0);
      this.#most.set(sign, Math.max(this.#most.get(sign) ?? 0, share));
    }
  }

  /** Whether the kernel says the same as this sign of a host. */
  async isTrue({ kind, name, value, host }: Claim, lab: Lab): Promise<boolean> {
    if (kind !== 'sign') return false;
    const most = this.#most.get(name);
    if (most !== undefined) return value <= most + slackPercent;
    if (name !== 'tcp-retransmissions') return false;
    const now = await resentOn(lab.host(host).namespace);
    return now - (this.#resent.get(host) ?? now) >= value / 2;
  }
}

/** How many TCP segments were sent again in a network namespace since it is there. */
async function resentOn(namespace: string): Promise<number> {
  const text = await runIn(namespace, ['cat', '/proc/net/snmp']);
  const [names = [], values = []] = [...text.matchAll(/^Tcp: (.*)$/gm)].map(([, line = '']) =>
    line.split(' '),
  );
  return Number(values[names.indexOf('RetransSegs')]);
}
