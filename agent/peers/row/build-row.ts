import { perChannel } from '../../model/channel.js';
import type { Degradation, PathState } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import { maxRowNodes, type Row } from '../../model/row.js';
import type { ZoneOf } from '../named-nodes.js';
import type { Protocol } from '../../model/sample.js';
import { runAtOnce, type Steps } from '../../platform/time-slices.js';
import { CountsBuilder, noCounts } from './counts.js';
import { FamiliesBuilder } from './families.js';
import { boundLarge } from './large.js';
import { boundPaths, PathsBuilder, type PathSources } from './paths.js';
import { SweepsBuilder, type Intervals } from './sweeps.js';
import { ZonesBuilder } from './zones.js';

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

/**
 * Calls back, in small steps, for each path to a further address of an active node and each protocol, with the primary address
 * of that node and plane.
 */
export type VisitFurtherPathsInSteps = (
  visit: (path: Path, primaryIp: string, protocol: Protocol, state: PathState) => void,
) => Steps<void>;

/** What an agent says of itself in its row, beside what it says of paths. */
export type OwnHead = Omit<
  Row,
  | 'counts'
  | 'sweeps'
  | 'families'
  | 'paths'
  | 'namedByZone'
  | 'omittedNodes'
  | 'zones'
  | 'heard'
  | 'large'
>;

export interface RowSources extends PathSources {
  readonly head: OwnHead;
  readonly intervalsMs: Intervals;
  readonly visitPaths: VisitPathsInSteps;
  readonly visitFurtherPaths: VisitFurtherPathsInSteps;
  readonly zoneOf: ZoneOf;
}

/** Builds an agent's row of all its paths, however many are not well, in one pass over them. */
export function* buildRow(sources: RowSources): Steps<Row> {
  const { head, nowMs, intervalsMs, visitPaths, visitFurtherPaths, zoneOf } = sources;
  const [counts, zones] = [new CountsBuilder(), new ZonesBuilder()];
  const [paths, swept] = [new PathsBuilder(sources), new SweepsBuilder(nowMs)];
  yield* visitPaths((path, protocol, known, degradation) => {
    const { state, rttNs } = known;
    counts.add(path, protocol, known, degradation.isLossy || degradation.isSlow);
    // The RTT to itself says nothing of its zone.
    const isOther = path.node !== head.observer;
    if (isOther && state === 'reachable' && rttNs !== undefined) {
      const zone = zoneOf(path.node);
      if (zone !== undefined) zones.add(zone, path.plane, protocol, rttNs);
    }
    paths.add(path, protocol, known, degradation);
    swept.add(path, protocol, known);
  });
  const counted = new FamiliesBuilder();
  yield* visitFurtherPaths((...path) => counted.add(...path));
  yield;
  const named = paths.named();
  const families = counted.families();
  const sweeps = swept.sweeps(intervalsMs);
  return {
    ...head,
    counts: counts.counts,
    ...(sweeps.length > 0 && { sweeps }),
    ...(families.length > 0 && { families }),
    paths: named.paths,
    omittedNodes: 0,
    zones: zones.zones(),
    ...(named.heard.length > 0 && { heard: named.heard }),
  };
}

/** The row of an agent that has no results yet. */
export function emptyRow(head: OwnHead): Row {
  return { ...head, counts: perChannel(() => noCounts), paths: [], omittedNodes: 0, zones: [] };
}

/** To which nodes a row is bounded. */
export interface RowBounds {
  readonly mostNodes?: number;
  /** Left out, no zones are known. */
  readonly zoneOf?: ZoneOf;
}

/** Bounds a row to some of its nodes, and counts those that it leaves out. */
export function boundRow(whole: Row, bounds: RowBounds = {}): Row {
  return runAtOnce(boundRowInSteps(whole, bounds));
}

/** The same in small steps: until all nodes were probed, a row is about every one of them. */
export function boundRowInSteps(
  whole: Row,
  { mostNodes = maxRowNodes, zoneOf = () => undefined }: RowBounds,
): Steps<Row> {
  const row = whole.large ? { ...whole, large: boundLarge(whole.large) } : whole;
  return boundPaths(row, mostNodes, zoneOf);
}
