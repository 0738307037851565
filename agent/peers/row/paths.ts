import { channels, channelNumber } from '../../model/channel.js';
import { pathFailureKinds, type FailureKind } from '../../model/failure.js';
import type { Degradation, PathState } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import {
  maxRowFlows,
  maxRowNodes,
  mostTellingLost,
  livesForMs,
  rowPathStates,
  type Row,
  type RowFlows,
  type RowPath,
} from '../../model/row.js';
import type { Protocol } from '../../model/sample.js';
import type { Steps } from '../../platform/time-slices.js';
import { namedNodes, type ZoneOf } from '../named-nodes.js';
import { AnsweredSince } from './answered-since.js';
import { maxAgeSeconds, maxNewerItems, maxNewerNumber, type ValueReader } from './value-reader.js';

/** Why a path fails, by its number. */
const failures: readonly FailureKind[] = pathFailureKinds;

/** The paths that are not well, and which of their nodes are heard. */
export interface RowPaths {
  readonly paths: readonly RowPath[];
  readonly heard: readonly string[];
  readonly namedByZone?: readonly string[];
}

/** Some tenths of a millisecond of work. */
const pathsPerStep = 2000;

export interface PathSources {
  /** Monotonic milliseconds. */
  readonly nowMs: number;
  readonly head: Pick<Row, 'httpIntervalMs' | 'httpTimeoutMs'>;
  /** When a node's own GET came last, in monotonic milliseconds; undefined if none did. */
  readonly lastGetMs: (node: string) => number | undefined;
  /** The flows that never pass a path while others do; left out, none was tested. */
  readonly flowsOf?: ((path: Path) => RowFlows | undefined) | undefined;
}

/** Collects the paths that are not well, however many there are. */
export class PathsBuilder {
  readonly #paths: RowPath[] = [];
  /** The nodes with failing paths, and since when a GET of theirs says that they live. */
  readonly #failingSinceMs = new Map<string, number>();
  readonly #sources: PathSources;
  readonly #answered = new AnsweredSince(this.#paths);

  constructor(sources: PathSources) {
    this.#sources = sources;
  }

  add(probed: Path, protocol: Protocol, known: PathState, degradation: Degradation) {
    const { isLossy, isSlow, sinceMs } = degradation;
    const { node, plane } = probed;
    const { state: reachability } = known;
    const isReachable = reachability === 'reachable';
    if (isReachable && !isLossy && !isSlow) {
      this.#answered.add(node, channelNumber(plane, protocol), known);
      return;
    }
    const { flowsOf } = this.#sources;
    const ageSeconds = this.#secondsSince(sinceMs ?? known.sinceMs);
    const failure = isReachable ? undefined : known.failureKind;
    const state = !isReachable ? reachability : isLossy ? 'lossy' : 'slow';
    const flows = state === 'lossy' && protocol === 'http' ? flowsOf?.(probed) : undefined;
    const path = rowPath(node, plane, protocol, state, ageSeconds, failure, flows);
    this.#paths.push(state === 'lossy' ? withLost(path, degradation.lost) : path);
    if (reachability === 'unreachable') this.#addUnheard(probed, protocol);
    this.#answered.add(node, channelNumber(plane, protocol), known);
    if (reachability !== 'unreachable') return;
    const before = this.#failingSinceMs.get(node) ?? -Infinity;
    const { head } = this.#sources;
    const failingSinceMs = livesSinceMs(known.sinceMs, failure, head.httpTimeoutMs);
    if (failingSinceMs > before) this.#failingSinceMs.set(node, failingSinceMs);
  }

  /** What was added. Those of a node come one after the other. */
  named(): Pick<RowPaths, 'paths' | 'heard'> {
    this.#answered.end();
    return { paths: this.#paths, heard: this.#heard() };
  }

  /** Says of the last path that was added how long nothing was heard of its node, if its GETs come that way. */
  #addUnheard({ node, plane }: Path, protocol: Protocol): void {
    if (plane !== 'host' || protocol !== 'http') return;
    const getMs = this.#sources.lastGetMs(node);
    const at = this.#paths.length - 1;
    const last = this.#paths[at];
    if (last && getMs !== undefined)
      this.#paths[at] = { ...last, unheardSeconds: this.#secondsSince(getMs) };
  }

  #secondsSince(ms: number): number {
    return Math.max(Math.floor((this.#sources.nowMs - ms) / 1000), 0);
  }

  /** The nodes with failing paths that are heard since these fail. */
  #heard(): string[] {
    const { nowMs, head, lastGetMs } = this.#sources;
    const oldestMs = nowMs - livesForMs(head);
    return [...this.#failingSinceMs].flatMap(([node, sinceMs]) =>
      (lastGetMs(node) ?? -Infinity) >= Math.max(sinceMs, oldestMs) ? [node] : [],
    );
  }
}

/** A GET that was sent before the trouble began may be read this long after. */
const lateReadMs = 1000;

/**
 * From when on a node's own GET says that the node lives though a path to it fails: late ones of before do not count. Where an
 * answer was waited for before the verdict, that time has passed already.
 * @param failedMs when the path was said to fail
 */
export function livesSinceMs(
  failedMs: number,
  failure: FailureKind | undefined,
  timeoutMs: number,
): number {
  return failedMs + (failure === 'timeout' ? Math.max(lateReadMs - timeoutMs, 0) : lateReadMs);
}

/** Bounds the paths of a row to some of its nodes, in small steps, and counts those that it leaves out. */
export function* boundPaths(row: Row, mostNodes: number, zoneOf: ZoneOf): Steps<Row> {
  const { nodes, byZone, omitted } = yield* namedNodes(row.paths, mostNodes, zoneOf);
  if (omitted === 0) return row;
  const named = [...nodes, ...byZone];
  const byNode = new Map(named.map((node): [string, RowPath[]] => [node, []]));
  for (const [at, path] of row.paths.entries()) {
    if ((at + 1) % pathsPerStep === 0) yield;
    byNode.get(path.node)?.push(path);
  }
  const isHeard = new Set(row.heard);
  return {
    ...row,
    paths: named.flatMap((node) => byNode.get(node) ?? []),
    namedByZone: byZone.length > 0 ? byZone : undefined,
    omittedNodes: row.omittedNodes + omitted,
    ...(row.heard && { heard: named.filter((node) => isHeard.has(node)) }),
  };
}

/**
 * A path that does not work: the numbers of its channel, state and failure (or -1) around its age. Behind them stand the other
 * channels that answered since it fails, as a mask, and for how many seconds its node was not heard; or of a lossy path: where flows
 * never pass, how many were tried, fail each time, fail sometimes; and behind these how many probes were lost.
 */
type WirePath = [number, number, number, number, ...number[]];

/** One node: its name, whether it is heard, and its paths that do not work. */
export type WireNode = [string, 0 | 1, ...WirePath[]];

export function encodePaths({ paths, heard = [] }: Pick<Row, 'paths' | 'heard'>): WireNode[] {
  const byNode = new Map<string, WireNode>();
  for (const path of paths) {
    const { node: name, plane, protocol, state, ageSeconds, failure, flows } = path;
    const { answeredSince, unheardSeconds, lost } = path;
    const node = byNode.get(name) ?? [name, heard.includes(name) ? 1 : 0];
    node.push([
      channelNumber(plane, protocol),
      rowPathStates.indexOf(state),
      Math.min(ageSeconds, maxAgeSeconds),
      failure === undefined ? -1 : failures.indexOf(failure),
      ...(flows ? [flows.tried, flows.failing, flows.sometimes] : []),
      ...(lost === undefined ? [] : [Math.min(lost, maxNewerNumber)]),
      ...(answeredSince === undefined && unheardSeconds === undefined ? [] : [answeredSince ?? 0]),
      ...(unheardSeconds === undefined ? [] : [Math.min(unheardSeconds, maxAgeSeconds)]),
    ]);
    byNode.set(name, node);
  }
  return [...byNode.values()];
}

/**
 * Reads the nodes of a row, and those that are named by their zone, if there are any.
 *
 * @throws MalformedRow
 */
export function decodeAllPaths(read: ValueReader, byZone: ValueReader): RowPaths {
  const named = decodePaths(read);
  if (byZone.skipAbsent()) return named;
  const more = decodePaths(byZone);
  const namedByZone = namesOf(more);
  byZone.mustBeUnique([...namesOf(named), ...namedByZone]);
  return {
    paths: [...named.paths, ...more.paths],
    heard: [...named.heard, ...more.heard],
    namedByZone,
  };
}

function namesOf({ paths }: RowPaths): string[] {
  return [...new Set(paths.map(({ node }) => node))];
}

/**
 * Reads what `encodePaths` wrote, without nodes that are listed no more. An unknown failure is left out, an unknown state
 * is `unknown`, a further channel is skipped.
 *
 * @throws MalformedRow
 */
function decodePaths(read: ValueReader): RowPaths {
  const paths: RowPath[] = [];
  const heard: string[] = [];
  const names: (string | undefined)[] = [];
  for (let nodes = read.list(0, maxRowNodes); nodes > 0; nodes--) {
    const items = read.list(3, 2 + maxNewerItems);
    const node = read.node();
    if (node !== undefined) names.push(node);
    if (read.bit() && node !== undefined) heard.push(node);
    let used = 0;
    let further: number[] | undefined;
    for (let left = items - 2; left > 0; left--) {
      const { count, values } = read.numbers(4, maxNewerItems);
      if (read.isNew) checkPath(read, count, values);
      // As whole numbers they take less memory and time: there may be 150,000 paths in one diagnosis.
      const index = (values[0] ?? 0) | 0;
      const channel = channels[index];
      if (!channel) (further ??= []).push(index);
      else if ((used & (1 << index)) !== 0) read.refuse('a channel twice');
      used |= channel ? 1 << index : 0;
      if (channel && node !== undefined) paths.push(pathOf(node, channel, count, values));
    }
    if (further) read.mustBeUnique(further);
  }
  if (names.length > 1) read.mustBeUnique(names);
  return { paths, heard };
}

/** Whether two rows name the same paths in the same states, whatever their ages are. Twice as many losses are a change, while they tell more. */
export function areSamePaths(before: Row, after: Row): boolean {
  return JSON.stringify(withoutAges(before)) === JSON.stringify(withoutAges(after));
}

function withoutAges({ paths, namedByZone = [], heard = [] }: Row): unknown {
  return [
    paths.map(({ node, plane, protocol, state, failure = '', flows = '', lost = 0 }) => [
      ...[node, plane, protocol, state, failure, flows, stepOf(lost)],
    ]),
    namedByZone,
    heard,
  ];
}

function stepOf(lost: number): number {
  return Math.floor(Math.log2(Math.min(lost, mostTellingLost) + 1));
}

function checkPath(read: ValueReader, count: number, values: Float64Array): void {
  if (!isUpTo(values[0], maxNewerNumber)) read.refuse('a channel without a number');
  if (!isUpTo(values[1], maxNewerNumber)) read.refuse('a state without a number');
  if (!isUpTo(values[2], maxAgeSeconds)) read.refuse('an age that is none');
  if ((values[3] ?? Infinity) > maxNewerNumber) read.refuse('a failure without a number');
  for (let at = 4; at < count; at++) read.mustBeNewer(values[at] ?? -1);
}

function pathOf(
  node: string,
  { plane, protocol }: (typeof channels)[number],
  count: number,
  values: Float64Array,
): RowPath {
  const state = rowPathStates[(values[1] ?? 0) | 0] ?? 'unknown';
  const ageSeconds = (values[2] ?? 0) | 0;
  const failure = failures[(values[3] ?? 0) | 0];
  const mayHaveFlows = count > 6 && state === 'lossy' && protocol === 'http' && !failure;
  const flows = mayHaveFlows ? flowsOf([...values.subarray(4, 7)]) : undefined;
  const path = rowPath(node, plane, protocol, state, ageSeconds, failure, flows);
  if (state === 'lossy' && !failure) {
    const at = protocol === 'http' && count > 6 ? 7 : 4;
    return withLost(path, count > at ? Math.min(values[at] ?? 0, maxNewerNumber) : 0);
  }
  if (count < 5 || state !== 'unreachable') return path;
  const others = allChannels & ~(1 << channelNumber(plane, protocol));
  const answeredSince = (values[4] ?? 0) & others;
  const isOfGets = count > 5 && plane === 'host' && protocol === 'http';
  return {
    ...path,
    ...(answeredSince !== 0 && { answeredSince }),
    ...(isOfGets && { unheardSeconds: Math.min(values[5] ?? 0, maxAgeSeconds) | 0 }),
  };
}

const allChannels = (1 << channels.length) - 1;

function withLost(path: RowPath, lost: number): RowPath {
  return lost === 0 ? path : { ...path, lost };
}

/** Flows of which some never pass; undefined where there are none, or where the numbers cannot be. */
function flowsOf([tried = 0, failing = 0, sometimes = 0]: readonly number[]): RowFlows | undefined {
  if (tried > maxRowFlows || failing === 0 || failing >= tried) return undefined;
  return failing + sometimes > tried ? undefined : { tried, failing, sometimes };
}

function isUpTo(value = -1, most: number): boolean {
  return value >= 0 && value <= most;
}

/** Spreading objects takes three times as long. */
function rowPath(
  node: string,
  plane: RowPath['plane'],
  protocol: Protocol,
  state: RowPath['state'],
  ageSeconds: number,
  failure: FailureKind | undefined,
  flows: RowFlows | undefined,
): RowPath {
  if (flows) return { node, plane, protocol, state, ageSeconds, flows };
  if (failure === undefined) return { node, plane, protocol, state, ageSeconds };
  return { node, plane, protocol, state, ageSeconds, failure };
}
