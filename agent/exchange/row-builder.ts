import { nameHash } from '../model/name-hash.js';
import type { Degradation, PathState } from '../model/path-state.js';
import type { Path, Plane } from '../model/path.js';
import type { Row, RowCounts, RowPath, RowZone } from '../model/row.js';
import type { Protocol } from '../model/sample.js';
import { RttCounts } from './rtt-counts.js';

/** Calls back for each primary path of an active node and each protocol, with what this agent knows of it. */
export type VisitPaths = (
  visit: (path: Path, protocol: Protocol, state: PathState, degradation: Degradation) => void,
) => void;

/** The content of a row beside its paths. */
export type RowHead = Omit<Row, 'counts' | 'paths' | 'omittedNodes' | 'zones' | 'heard'>;

export interface RowSources {
  readonly head: RowHead;
  readonly visitPaths: VisitPaths;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The zone of a node, '' where it has none; undefined where the row is not to tell of its zone. */
  readonly zoneOf: (node: string) => string | undefined;
  /** Whether a node's own GETs have arrived here since a time, in epoch milliseconds. */
  readonly isHeardSince: (node: string, sinceAt: number) => boolean;
}

/** A row names at most so many nodes. */
export const maxRowNodes = 64;

/** A row names at most so many zones. */
export const maxRowZones = 16;

type Counts = { -readonly [K in keyof RowCounts]: number };
type PerChannel<T> = Record<Plane, Record<Protocol, T>>;

const planes: readonly Plane[] = ['host', 'endpoint'];
const protocols: readonly Protocol[] = ['icmp', 'http'];

/** Builds an agent's row in one pass over its paths. */
export function buildRow({ head, visitPaths, now, zoneOf, isHeardSince }: RowSources): Row {
  const counts = perChannel((): Counts => ({
    reachable: 0,
    unreachable: 0,
    unknown: 0,
    degraded: 0,
  }));
  const zones = new Map<string, PerChannel<RttCounts>>();
  const notWell = new Map<string, RowPath[]>();
  /** When the last of a node's failing paths began to fail. */
  const failingSinceAt = new Map<string, number>();
  visitPaths(({ node, plane }, protocol, known, { isLossy, isSlow, sinceAt }) => {
    const { state, rttNs } = known;
    const count = counts[plane][protocol];
    count[state]++;
    if (state === 'reachable') {
      if (isLossy || isSlow) count.degraded++;
      const zone = rttNs === undefined ? undefined : zoneOf(node);
      if (zone !== undefined && rttNs !== undefined)
        rttsOf(zones, zone)[plane][protocol].add(rttNs);
      if (!isLossy && !isSlow) return;
    }
    const told = notWell.get(node) ?? [];
    const ageSeconds = Math.max(Math.floor((now - (sinceAt ?? known.sinceAt)) / 1000), 0);
    const failure = state === 'reachable' ? undefined : known.failureKind;
    told.push({
      node,
      plane,
      protocol,
      ageSeconds,
      state: state !== 'reachable' ? state : isLossy ? 'lossy' : 'slow',
      ...(failure && { failure }),
    });
    notWell.set(node, told);
    if (state !== 'unreachable') return;
    failingSinceAt.set(node, Math.max(failingSinceAt.get(node) ?? -Infinity, known.sinceAt));
  });
  const nodes = lowestHashes(notWell.keys(), maxRowNodes);
  const heard = nodes.filter((node) => isHeardSince(node, failingSinceAt.get(node) ?? -Infinity));
  return {
    ...head,
    counts,
    paths: nodes.flatMap((node) => notWell.get(node) ?? []),
    omittedNodes: notWell.size - nodes.length,
    zones: [...zones].flatMap(([zone, rtts]) => rowZones(zone, rtts)),
    ...(heard.length > 0 && { heard }),
  };
}

/** The names with the lowest hashes, the lowest first: every agent chooses the same. */
export function lowestHashes(names: Iterable<string>, count: number): string[] {
  const hashed = [...names].map((name) => ({ name, hash: nameHash(name) }));
  hashed.sort((a, b) => a.hash - b.hash || (a.name < b.name ? -1 : 1));
  return hashed.slice(0, count).map(({ name }) => name);
}

function rttsOf(zones: Map<string, PerChannel<RttCounts>>, zone: string): PerChannel<RttCounts> {
  const known = zones.get(zone);
  if (known) return known;
  const rtts = perChannel(() => new RttCounts());
  zones.set(zone, rtts);
  return rtts;
}

function rowZones(zone: string, perZone: PerChannel<RttCounts>): RowZone[] {
  return planes.flatMap((plane) =>
    protocols.flatMap((protocol): RowZone[] => {
      const rtts = perZone[plane][protocol];
      const [p50Ns, p99Ns] = [rtts.quantileNs(0.5), rtts.quantileNs(0.99)];
      return rtts.count === 0 ? [] : [{ zone, plane, protocol, paths: rtts.count, p50Ns, p99Ns }];
    }),
  );
}

function perChannel<T>(create: () => T): PerChannel<T> {
  return {
    host: { icmp: create(), http: create() },
    endpoint: { icmp: create(), http: create() },
  };
}
