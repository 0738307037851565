import { uptime } from 'node:os';
import type { HostChange } from '../../../api/schema/v1/host-changes.js';
import type { HostSign } from '../../../api/schema/v1/host-signs.js';
import type { Finding } from '../../../api/schema/v1/findings.js';
import type { NodeEntry } from '../../../api/schema/v1/nodes.js';
import { clusterName } from './plan.js';
import type { HostEvent, Told } from './host-events.js';

type Sign = NonNullable<NodeEntry['signs']>[number];
type Change = NonNullable<NodeEntry['changes']>[number];

/** One sign or change that an agent tells of a host. Times are of the system clock. */
export interface Claim {
  readonly host: string;
  readonly kind: 'sign' | 'change';
  readonly name: Told['name'];
  readonly text: string;
  readonly value: number;
  /** Since when a sign is one, or from when to when a change was made. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** What is told of a host, without its node where the answer is about one. */
interface ToldOfHost {
  readonly signs?: readonly (Sign & { readonly node?: string })[] | undefined;
  readonly changes?: readonly (Change & { readonly node?: string })[] | undefined;
}

/** The signs and changes beside a finding, or of a node. */
export function claimsOf({ signs = [], changes = [] }: ToldOfHost, ofNode = ''): Claim[] {
  return [
    ...signs.map(({ node = ofNode, sign, text, value, since }): Claim => {
      const sinceMs = Date.parse(since);
      const words = { host: hostOf(node), name: sign as HostSign, text: withoutShare(text) };
      return { kind: 'sign', ...words, value, fromMs: sinceMs, toMs: sinceMs };
    }),
    ...changes.map(({ node = ofNode, change, text, at, withinSeconds }): Claim => {
      const toMs = Date.parse(at);
      const words = { host: hostOf(node), name: change as HostChange, text: withoutShare(text) };
      return { kind: 'change', ...words, value: 0, fromMs: toMs - 1000 * withinSeconds, toMs };
    }),
  ];
}

/** Of a group it is told how many of its nodes have one like it. */
function withoutShare(text: string): string {
  return text.replace(/ \((sign|change) \S+ on \d+ of .*nodes.*\)$/, '');
}

function hostOf(node: string): string {
  return node.slice(clusterName.length + 1);
}

interface Entry {
  readonly event: Pick<HostEvent, 'node' | 'tells' | 'mayTell'>;
  readonly fromMs: number;
  toMs: number;
}

/** A reading tells when the one before it was, and what is found is found at the next reading: they are ten seconds apart. */
const [earlyMs, lateMs] = [15_000, 20_000];
/** Ages in rows are rounded to seconds. */
const roundedMs = 2000;

/** What was made on the hosts of a mesh, and when. What agents tell is compared with it. */
export class HostLedger {
  readonly #entries: Entry[] = [];
  readonly #startedMs = Date.now();

  /** Notes that something begins on a host now. Returns what notes that it is repaired. */
  begin(event: HostEvent): () => void {
    const entry = { event, fromMs: Date.now(), toMs: Infinity };
    this.#entries.push(entry);
    return () => void (entry.toMs = Date.now());
  }

  /** Whether that was made on that host at that time. All agents were started before the ledger. */
  wasMade(claim: Claim): boolean {
    const { name, toMs } = claim;
    if (name === 'agent-restarted' && toMs <= this.#startedMs) return true;
    if (name === 'rebooted') return Math.abs(toMs - (Date.now() - 1000 * uptime())) <= lateMs;
    return this.#entries.some(
      ({ event, ...entry }) =>
        event.node === claim.host &&
        [...event.tells.map((told) => told.name), ...(event.mayTell ?? [])].includes(name) &&
        claim.toMs >= entry.fromMs - earlyMs &&
        claim.fromMs <= entry.toMs + lateMs,
    );
  }
}

/** What is wrong with the times of what stands beside a finding, and with their order; undefined if nothing is. */
export function lackOfTimes({ since, signs = [], changes = [] }: Finding): string | undefined {
  const sinceMs = Date.parse(since);
  const nearMs = 300_000 + roundedMs;
  const apart = (at: string): number => Math.abs(Date.parse(at) - sinceMs);
  for (const { at, withinSeconds, text } of changes) {
    const [ms, within] = [Date.parse(at), 1000 * withinSeconds];
    if (ms < sinceMs - nearMs)
      return `expected no change of more than five minutes before: ${text}`;
    if (ms - within > sinceMs + 2 * roundedMs) return `expected no change after it: ${text}`;
  }
  const old = signs.find((sign) => apart(sign.since) > nearMs);
  if (old) return `expected no sign that began so long before or after: ${old.text}`;
  const isFarFirst = (times: readonly string[]): boolean =>
    times.some((at, index) => index > 0 && apart(at) < apart(times[index - 1] ?? at) - roundedMs);
  if (isFarFirst(changes.map(({ at }) => at)) || isFarFirst(signs.map((sign) => sign.since)))
    return 'expected the nearest first';
  return undefined;
}
