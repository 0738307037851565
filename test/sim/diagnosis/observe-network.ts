import { indexCluster } from '../../../agent/diagnosis/cluster-index.js';
import type { DiagnosisInput, ObservedRow } from '../../../agent/diagnosis/diagnosis-input.js';
import type { FailureKind } from '../../../agent/model/failure.js';
import { nameHash } from '../../../agent/model/name-hash.js';
import type { Plane } from '../../../agent/model/path.js';
import type { Row, RowCounts, RowPath } from '../../../agent/model/row.js';
import type { Protocol } from '../../../agent/model/sample.js';
import type { Random } from '../../fuzz/random.js';
import { isSlow, lossOf, probe, type Trouble } from './network.js';

/** How the agents of a simulated cluster probe, and when each fault began. */
export interface Conditions {
  readonly names: readonly string[];
  readonly zones: readonly (string | undefined)[];
  readonly local: number;
  readonly troubles: readonly { readonly trouble: Trouble; readonly ageS: number }[];
  /** The share of node pairs that are reported wrongly. */
  readonly wrongShare: number;
  /** The share of packets that are lost at random. */
  readonly strayLoss: number;
  /** The share of paths that are reported as slow although they are not. */
  readonly straySlow: number;
  /** Nodes without a row, and nodes with an old row, for reasons other than the network. */
  readonly isSilent: (node: number) => boolean;
  readonly isStale: (node: number) => boolean;
  readonly starved: ReadonlySet<number>;
  /** The targets that each lying observer reports as failed, whatever is true. */
  readonly lies: ReadonlyMap<number, (target: number) => boolean>;
}

export const probePort = 4240;
const icmpIntervalS = 1;
const httpIntervalS = 5;
const timeoutS = 1;
const freshS = 2 * httpIntervalS + timeoutS;
/**
 * The time from the first lost probe to `unreachable`: a threshold of three, with gaps of 200 ms.
 */
const confirmS = 0.4;
const lossWindowS = 600;
/** The number of late answers in a row that make a path slow. */
const slowSamples = 20;
const wrongAgeS = 10;
const mostTold = 64;

const planes: readonly Plane[] = ['host', 'endpoint'];
const protocols: readonly Protocol[] = ['icmp', 'http'];

/** The input of the local node's diagnosis, derived from the fate of each probe in its network. */
export function observeNetwork(
  conditions: Conditions,
  random: Random,
  now: number,
): Omit<DiagnosisInput, 'previous' | 'rows'> & { readonly rows: readonly ObservedRow[] } {
  const { names, zones, local, troubles } = conditions;
  const all = troubles.map(({ trouble }) => trouble);
  const runs = (node: number) =>
    !all.some(
      ({ isOff, server }) =>
        (isOff?.(node) ?? false) || (server?.(node, 'host') ?? 'answers') !== 'answers',
    );
  const oldestS = Math.max(0, ...troubles.map(({ ageS }) => ageS));
  const gets = (from: number, to: number) =>
    runs(from) && probe(all, from, to, 'host', 'http') === undefined;
  const rows: ObservedRow[] = [];
  const silentMs = new Map<string, number>();
  const heardMsAgo = new Map<string, number>();
  const numberOf = new Map(names.map((name, number) => [name, number]));
  // Each observer also names the unreachable nodes whose own GETs still reach it.
  const withHeard = (row: Row, observer: number): Row => {
    const told = [...new Set(row.paths.map(({ node }) => node))];
    return { ...row, heard: told.filter((name) => gets(numberOf.get(name) ?? -1, observer)) };
  };
  names.forEach((name, node) => {
    if (node === local) {
      const row = withHeard(rowOf(conditions, node, 0, random), node);
      rows.push({ row, ageMs: 0, bodyAgeMs: 0, freshness: 'fresh' });
      return;
    }
    if (gets(node, local)) heardMsAgo.set(name, random.next() * httpIntervalS * 1000);
    else heardMsAgo.set(name, (oldestS + random.next() * httpIntervalS) * 1000);
    if (conditions.isSilent(node)) {
      silentMs.set(name, 3_600_000);
      return;
    }
    // A row comes with the answer to a GET, so a fault may have kept newer rows away.
    const talks = runs(node) && gets(local, node);
    const lastS = random.next() * httpIntervalS * (talks ? 1 : 1.2);
    const ageS = conditions.isStale(node)
      ? freshS + 1 + random.next() * 600
      : talks
        ? lastS
        : oldestS + lastS;
    const freshness = ageS <= freshS ? 'fresh' : 'stale';
    const told = rowOf(conditions, node, ageS, random);
    rows.push({
      row: talks ? withHeard(told, node) : told,
      ageMs: ageS * 1000,
      bodyAgeMs: ageS * 1000,
      freshness,
    });
  });
  return {
    index: indexCluster(
      names.map((name, node) => ({
        name,
        zone: zones[node],
        phase: 'active' as const,
        host: [`10.0.${node >> 8}.${node & 255}`],
        endpoint: [`10.244.${node >> 8}.${node & 255}`],
      })),
    ),
    rows,
    silentMs,
    heardMsAgo,
    probePort,
    now,
    localName: names[local] ?? '',
    namespace: 'meshprobe',
  };
}

/** The row of an observer as it was this many seconds ago. */
function rowOf(conditions: Conditions, observer: number, ageS: number, random: Random): Row {
  const { names } = conditions;
  // The row cannot contain faults that began later.
  const begun = conditions.troubles.filter(({ ageS: since }) => since > ageS);
  const strayLossy = chanceOfLossy(conditions.strayLoss);
  const { straySlow, starved: starvedOnes } = conditions;
  const isQuiet = strayLossy === 0 && straySlow === 0 && !starvedOnes.has(observer);
  const paths: RowPath[] = [];
  const notWell = new Set<string>();
  const counts = {
    host: { icmp: newCounts(), http: newCounts() },
    endpoint: { icmp: newCounts(), http: newCounts() },
  };
  names.forEach((node, target) => {
    if (target === observer) return;
    const touching = begun.filter(({ trouble }) => trouble.touches(observer, target));
    const wrong = wrongChannels(conditions, random);
    const lie = conditions.lies.get(observer)?.(target) ?? false;
    if (touching.length === 0 && isQuiet && wrong === 0 && !lie) {
      for (const plane of planes)
        for (const protocol of protocols) counts[plane][protocol].reachable++;
      return;
    }
    for (const plane of planes) {
      for (const protocol of protocols) {
        const number = (plane === 'endpoint' ? 2 : 0) + (protocol === 'http' ? 1 : 0);
        const path = { observer, target, plane, protocol };
        const truth =
          (touching.length === 0 ? undefined : stateOf(path, touching, ageS, random)) ??
          strayState(conditions, protocol === 'icmp' ? strayLossy : 0, random);
        const starved = conditions.starved.has(observer) && random.next() < 0.5;
        const said = lie
          ? told('unreachable', 300 * random.next(), 'timeout')
          : starved
            ? told('unreachable', 10 * random.next(), 'timeout')
            : (wrong >> number) & 1
              ? turned(truth, random)
              : truth;
        const count = counts[plane][protocol];
        if (said === undefined) {
          count.reachable++;
          continue;
        }
        if (said.state === 'unreachable') count.unreachable++;
        else count.reachable++;
        if (said.state === 'lossy' || said.state === 'slow') count.degraded++;
        notWell.add(node);
        paths.push({ node, plane, protocol, ...said });
      }
    }
  });
  const kept = notWell.size > mostTold ? lowestHashes(notWell) : notWell;
  return {
    observer: names[observer] ?? '',
    version: '0.2.0',
    httpIntervalMs: httpIntervalS * 1000,
    httpTimeoutMs: timeoutS * 1000,
    health: { ready: true, starved: conditions.starved.has(observer), notSending: [] },
    counts,
    paths: kept.size === notWell.size ? paths : paths.filter(({ node }) => kept.has(node)),
    omittedNodes: notWell.size - kept.size,
    zones: [],
  };
}

function lowestHashes(names: ReadonlySet<string>): Set<string> {
  const hashed = [...names].map((name) => ({ name, hash: nameHash(name) }));
  hashed.sort((a, b) => a.hash - b.hash);
  return new Set(hashed.slice(0, mostTold).map(({ name }) => name));
}

type Said = Pick<RowPath, 'state' | 'ageSeconds' | 'failure'> | undefined;

function told(state: RowPath['state'], ageSeconds: number, failure?: FailureKind): Said {
  return { state, ageSeconds: Math.round(ageSeconds), ...(failure && { failure }) };
}

function newCounts(): { -readonly [Key in keyof RowCounts]: number } {
  return { reachable: 0, unreachable: 0, unknown: 0, degraded: 0 };
}

function wrongChannels({ wrongShare }: Conditions, random: Random): number {
  if (wrongShare === 0 || random.next() >= wrongShare) return 0;
  const kind = random.next();
  if (kind < 0.6) return 1 << random.below(4);
  if (kind < 0.8) return random.below(2) === 0 ? 0b0011 : 0b1100;
  return 0b1111;
}

/** A wrong report is always young, because the next probes correct it. */
function turned(truth: Said, random: Random): Said {
  if (truth !== undefined) return undefined;
  return told('unreachable', -wrongAgeS * Math.log(1 - random.next()), 'timeout');
}

interface Probed {
  readonly observer: number;
  readonly target: number;
  readonly plane: Plane;
  readonly protocol: Protocol;
}

/**
 * The state of a path at an observer this many seconds ago. `touching` are the faults that had
 * begun by then.
 */
function stateOf(
  { observer, target, plane, protocol }: Probed,
  touching: Conditions['troubles'],
  rowAgeS: number,
  random: Random,
): Said {
  const intervalS = protocol === 'icmp' ? icmpIntervalS : httpIntervalS;
  const troubles = touching.map(({ trouble }) => trouble);
  const sinceS = Math.max(...touching.map(({ ageS }) => ageS)) - rowAgeS;
  const failure = probe(troubles, observer, target, plane, protocol);
  if (failure !== undefined) {
    // A hint may only bring the first probe forward, so this delay is the longest.
    const delayS = random.next() * intervalS + confirmS + (failure === 'timeout' ? timeoutS : 0);
    return sinceS > delayS ? told('unreachable', sinceS - delayS, failure) : undefined;
  }
  if (isSlow(troubles, observer, target, plane)) {
    const seenS = sinceS - slowSamples * intervalS;
    return seenS > 0 && random.next() < 0.95 ? told('slow', seenS) : undefined;
  }
  const share = lossOf(troubles, observer, target, plane);
  if (share === 0) return undefined;
  const lost = binomial(Math.round(Math.min(sinceS, lossWindowS) / intervalS), share, random);
  return isLossy(lost, lossWindowS / intervalS)
    ? told('lossy', Math.min(sinceS, lossWindowS) * 0.8)
    : undefined;
}

function strayState({ straySlow }: Conditions, strayLossy: number, random: Random): Said {
  if (strayLossy > 0 && random.next() < strayLossy) {
    return told('lossy', random.next() * lossWindowS);
  }
  return straySlow > 0 && random.next() < straySlow ? told('slow', random.next() * 60) : undefined;
}

/** The probability that a path loses enough echoes in ten minutes by chance to be called lossy. */
function chanceOfLossy(strayLoss: number): number {
  if (strayLoss === 0) return 0;
  const sent = lossWindowS / icmpIntervalS;
  const mean = sent * 2 * strayLoss;
  let [chance, isLess] = [Math.exp(-mean), 0];
  for (let lost = 0; !isLossy(lost, sent); lost++) {
    isLess += chance;
    chance *= mean / (lost + 1);
  }
  return 1 - isLess;
}

/** The agent's own rule for ten minutes: one stray loss is not enough. */
function isLossy(lost: number, sent: number): boolean {
  return lost >= 2 && lost / sent >= 0.005;
}

/**
 * A binomial number, approximated by a Poisson number for a small mean and by a normal one
 * otherwise.
 */
function binomial(count: number, share: number, random: Random): number {
  const mean = count * share;
  if (mean > 30) {
    const angle = 2 * Math.PI * random.next();
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(angle);
    return Math.max(0, Math.round(mean + normal * Math.sqrt(mean * (1 - share))));
  }
  let [sum, hits] = [-Math.log(1 - random.next()), 0];
  while (sum < mean) {
    hits++;
    sum -= Math.log(1 - random.next());
  }
  return hits;
}
