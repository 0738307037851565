import { channels, perChannel, type PerChannel } from '../model/channel.js';
import type { Degradation, PathState } from '../model/path-state.js';
import type { Path } from '../model/path.js';
import {
  type Row,
  type RowCounts,
  type RowFlows,
  type RowPath,
  type RowZone,
} from '../model/row.js';
import type { Protocol } from '../model/sample.js';
import { runAtOnce, type Steps } from '../platform/time-slices.js';
import { namedNodes } from './named-nodes.js';
import { boundLarge } from './own-large.js';
import { RttCounts } from './rtt-counts.js';

/** Called with a primary path of an active node, a protocol, and what this agent knows of it. */
export type VisitPath = (
  path: Path,
  protocol: Protocol,
  state: PathState,
  degradation: Degradation,
) => void;

/** Calls back for each primary path of an active node and each protocol. */
export type VisitPaths = (visit: VisitPath) => void;

/** The same in small steps. */
export type VisitPathsInSteps = (visit: VisitPath) => Steps<void>;

/** The content of a row beside its paths. */
export type RowHead = Omit<Row, 'counts' | 'paths' | 'omittedNodes' | 'zones' | 'heard' | 'large'>;

export interface RowSources {
  readonly head: RowHead;
  readonly visitPaths: VisitPathsInSteps;
  /** Monotonic milliseconds. */
  readonly nowMs: number;
  /** The zone of a node, '' where it has none; undefined where the row is not to tell of its zone. */
  readonly zoneOf: (node: string) => string | undefined;
  /** Whether a node's own GETs have arrived here since a time, in monotonic milliseconds. */
  readonly isHeardSince: (node: string, sinceMs: number) => boolean;
  /** The flows that never pass a path while others do; left out, none was tested. */
  readonly flowsOf?: (path: Path) => RowFlows | undefined;
}

/** A row that is sent names at most so many nodes. */
export const maxRowNodes = 64;

/** A row names at most so many zones. */
export const maxRowZones = 16;

/** Some tenths of a millisecond of work. */
const pathsPerStep = 2000;

type Counts = { -readonly [K in keyof RowCounts]: number };

/** Builds an agent's row of all its paths, however many are not well, in one pass over them. */
export function* buildRow(sources: RowSources): Steps<Row> {
  const { head, visitPaths, nowMs, zoneOf, isHeardSince, flowsOf } = sources;
  const counts = perChannel((): Counts => ({ ...noCounts }));
  const zones = new Map<string, PerChannel<RttCounts>>();
  const paths: RowPath[] = [];
  /** The nodes with failing paths, and when the last of their failing paths began to fail. */
  const failingSinceMs = new Map<string, number>();
  yield* visitPaths((path, protocol, known, { isLossy, isSlow, sinceMs }) => {
    const { node, plane } = path;
    const { rttNs, state } = known;
    const count = counts[plane][protocol];
    count[state]++;
    if (state === 'reachable') {
      if (isLossy || isSlow) count.degraded++;
      const zone = rttNs === undefined ? undefined : zoneOf(node);
      if (zone !== undefined && rttNs !== undefined)
        rttsOf(zones, zone)[plane][protocol].add(rttNs);
      if (!isLossy && !isSlow) return;
    }
    const ageSeconds = Math.max(Math.floor((nowMs - (sinceMs ?? known.sinceMs)) / 1000), 0);
    const failure = state === 'reachable' ? undefined : known.failureKind;
    const told = state !== 'reachable' ? state : isLossy ? 'lossy' : 'slow';
    const flows = told === 'lossy' && protocol === 'http' ? flowsOf?.(path) : undefined;
    if (flows) {
      paths.push({ node, plane, protocol, state: told, ageSeconds, flows });
      return;
    }
    // There may be thousands of these: spreading objects takes three times as long.
    paths.push(
      failure === undefined
        ? { node, plane, protocol, state: told, ageSeconds }
        : { node, plane, protocol, state: told, ageSeconds, failure },
    );
    if (state !== 'unreachable') return;
    const before = failingSinceMs.get(node) ?? -Infinity;
    if (known.sinceMs > before) failingSinceMs.set(node, known.sinceMs);
  });
  yield;
  const heard: string[] = [];
  for (const [node, since] of failingSinceMs) if (isHeardSince(node, since)) heard.push(node);
  return {
    ...head,
    counts,
    paths,
    omittedNodes: 0,
    zones: [...zones].flatMap(([zone, rtts]) => rowZones(zone, rtts)),
    ...(heard.length > 0 && { heard }),
  };
}

/** The row of an agent that has no results yet. */
export function emptyRow(head: RowHead): Row {
  return { ...head, counts: perChannel(() => noCounts), paths: [], omittedNodes: 0, zones: [] };
}

/** Bounds a row to some of its nodes, and counts those that it leaves out. */
export function boundRow(whole: Row, mostNodes = maxRowNodes): Row {
  return runAtOnce(boundRowInSteps(whole, mostNodes));
}

/** The same in small steps: until all nodes were probed, a row is about every one of them. */
export function* boundRowInSteps(whole: Row, mostNodes = maxRowNodes): Steps<Row> {
  const row = whole.large ? { ...whole, large: boundLarge(whole.large) } : whole;
  const { nodes, omitted } = yield* namedNodes(row.paths, mostNodes);
  if (omitted === 0) return row;
  const byNode = new Map(nodes.map((node): [string, RowPath[]] => [node, []]));
  for (const [at, path] of row.paths.entries()) {
    if ((at + 1) % pathsPerStep === 0) yield;
    byNode.get(path.node)?.push(path);
  }
  const bounded = {
    ...row,
    paths: nodes.flatMap((node) => byNode.get(node) ?? []),
    omittedNodes: row.omittedNodes + omitted,
  };
  if (!row.heard) return bounded;
  const isHeard = new Set(row.heard);
  return { ...bounded, heard: nodes.filter((node) => isHeard.has(node)) };
}

const noCounts: RowCounts = { reachable: 0, unreachable: 0, unknown: 0, degraded: 0 };

function rttsOf(zones: Map<string, PerChannel<RttCounts>>, zone: string): PerChannel<RttCounts> {
  const known = zones.get(zone);
  if (known) return known;
  const rtts = perChannel(() => new RttCounts());
  zones.set(zone, rtts);
  return rtts;
}

function rowZones(zone: string, perZone: PerChannel<RttCounts>): RowZone[] {
  return channels.flatMap(({ plane, protocol }): RowZone[] => {
    const rtts = perZone[plane][protocol];
    if (rtts.count === 0) return [];
    const [p50Ns, p99Ns] = [rtts.quantileNs(0.5), rtts.quantileNs(0.99)];
    return [{ zone, plane, protocol, paths: rtts.count, p50Ns, p99Ns }];
  });
}
