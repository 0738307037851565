import { channels, channelNumber, perChannel } from '../../model/channel.js';
import { pathFailureKinds, type FailureKind } from '../../model/failure.js';
import {
  maxRowFlows,
  rowPathStates,
  type Row,
  type RowCounts,
  type RowFlows,
  type RowPath,
  type RowPathState,
  type RowZone,
} from '../../model/row.js';
import { protocols } from '../../model/sample.js';
import { maxRowNodes, maxRowZones } from '../../peers/row-builder.js';
import { decodeRowLarge, encodeRowLarge } from './row-large-codec.js';
import { decodeRowTargets, encodeRowTargets } from './row-targets-codec.js';
import { decodeRowList, encodeRowList } from './row-list-codec.js';

/** The largest row, as text. */
export const maxRowBytes = 8192;

/** The states of a path, by their number on the wire. */
export const rowStates: readonly RowPathState[] = rowPathStates;
/** Why a path fails, by its number on the wire. */
export const rowFailures: readonly FailureKind[] = pathFailureKinds;

/** Newer agents may send numbers up to this one, and this many items where fewer are known here. */
const maxNewerNumber = 255;
const maxNewerItems = 16;
const protocolPattern = /^[a-z0-9-]{1,16}$/;

/** Ages are limited to a year. */
const maxAgeSeconds = 366 * 86_400;
const maxCount = 1_000_000;
const maxRttNs = 3_600_000_000_000;
const maxMs = 1e10;
const versionPattern = /^[0-9A-Za-z.+-]{1,32}$/;
const namePattern = /^[A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253}$/;
const zonePattern = /^[A-Za-z0-9_./-]{0,127}$/;

const noCounts: RowCounts = { reachable: 0, unreachable: 0, unknown: 0, degraded: 0 };

/**
 * A path that does not work: the numbers of its channel, state and failure (or -1) around its age, and
 * where flows never pass: how many were tried, fail each time, fail sometimes.
 */
type WirePath = [number, number, number, number, ...([] | [number, number, number])];

/** One node in the text: its name, whether it is heard, and its paths that do not work. */
type WireNode = [string, 0 | 1, ...WirePath[]];

/**
 * Writes a row as JSON of at most `maxRowBytes`. If its nodes do not fit, the last ones, which have
 * the highest hashes, are left out and counted.
 */
export function encodeRow(row: Row): string {
  const byNode = new Map<string, WireNode>();
  for (const path of row.paths) {
    const node = byNode.get(path.node) ?? [path.node, row.heard?.includes(path.node) ? 1 : 0];
    node.push([
      channelNumber(path.plane, path.protocol),
      rowStates.indexOf(path.state),
      Math.min(path.ageSeconds, maxAgeSeconds),
      path.failure === undefined ? -1 : rowFailures.indexOf(path.failure),
      ...(path.flows
        ? ([path.flows.tried, path.flows.failing, path.flows.sometimes] as const)
        : ([] as const)),
    ]);
    byNode.set(path.node, node);
  }
  const { ready, starved, notSending } = row.health;
  const zones = JSON.stringify(groupZones(row.zones));
  const { targets = [] } = row;
  const told = targets.length > 0 ? `"targets":${JSON.stringify(encodeRowTargets(targets))},` : '';
  const large = row.large ? `"large":${encodeRowLarge(row.large)},` : '';
  const nodes = [...byNode.values()].map((node) => JSON.stringify(node));
  for (;;) {
    const omitted = row.omittedNodes + byNode.size - nodes.length;
    const head = JSON.stringify({
      version: row.version,
      httpIntervalMs: Math.round(row.httpIntervalMs),
      httpTimeoutMs: Math.round(row.httpTimeoutMs),
      health: [ready ? 1 : 0, starved ? 1 : 0, ...notSending],
      counts: channels.map(({ plane, protocol }) => {
        const { reachable, unreachable, unknown, degraded } = row.counts[plane][protocol];
        return [reachable, unreachable, unknown, degraded];
      }),
      omittedNodes: omitted,
      ...(row.list && { list: encodeRowList(row.list) }),
    });
    const text = `${head.slice(0, -1)},${told}${large}"zones":${zones},"nodes":[${nodes.join(',')}]}`;
    const excess = Buffer.byteLength(text) - maxRowBytes;
    if (excess <= 0 || nodes.length === 0) return text;
    for (let cut = 0; cut < excess && nodes.length > 0;) cut += (nodes.pop()?.length ?? 0) + 1;
  }
}

/**
 * Reads a row from parsed JSON. Undefined if any part is malformed or there is too much. What a newer
 * agent may add is no reason to refuse: an unknown failure is left out, an unknown state is `unknown`,
 * further channels, protocols and items are skipped.
 */
export function decodeRow(observer: string, value: unknown): Row | undefined {
  if (!isObject(value)) return undefined;
  const {
    version,
    httpIntervalMs,
    httpTimeoutMs,
    health,
    counts,
    omittedNodes,
    zones,
    nodes,
    list,
    targets,
    large,
  } = value;
  if (typeof version !== 'string' || !versionPattern.test(version)) return undefined;
  if (!isWhole(httpIntervalMs, maxMs) || !isWhole(httpTimeoutMs, maxMs)) return undefined;
  if (!isWhole(omittedNodes, maxCount)) return undefined;
  const ownHealth = decodeHealth(health);
  const ownCounts = decodeCounts(counts);
  const ownZones = decodeZones(zones);
  const told = decodeNodes(nodes);
  const ownList = list === undefined ? undefined : decodeRowList(list, maxCount);
  if (!ownHealth || !ownCounts || !ownZones || !told) return undefined;
  if (list !== undefined && !ownList) return undefined;
  const ownTargets = targets === undefined ? [] : decodeRowTargets(targets);
  if (!ownTargets) return undefined;
  const ownLarge = large === undefined ? undefined : decodeRowLarge(large);
  if (large !== undefined && !ownLarge) return undefined;
  return {
    observer,
    version,
    httpIntervalMs,
    httpTimeoutMs,
    health: ownHealth,
    ...(ownList && { list: ownList }),
    counts: ownCounts,
    paths: told.paths,
    omittedNodes,
    zones: ownZones,
    ...(told.heard.length > 0 && { heard: told.heard }),
    ...(ownTargets.length > 0 && { targets: ownTargets }),
    ...(ownLarge && { large: ownLarge }),
  };
}

function groupZones(zones: readonly RowZone[]): unknown[] {
  const byZone = new Map<string, unknown[]>();
  for (const { zone, plane, protocol, paths, p50Ns, p99Ns } of zones) {
    const group = byZone.get(zone) ?? [zone];
    group.push([channelNumber(plane, protocol), paths, p50Ns, p99Ns]);
    byZone.set(zone, group);
  }
  return [...byZone.values()];
}

function decodeHealth(value: unknown): Row['health'] | undefined {
  if (!Array.isArray(value) || value.length < 2 || value.length > 2 + maxNewerItems)
    return undefined;
  const [ready, starved, ...rest] = value as unknown[];
  if (!isBit(ready) || !isBit(starved)) return undefined;
  if (!rest.every((name) => typeof name === 'string' && protocolPattern.test(name)))
    return undefined;
  if (new Set(rest).size !== rest.length) return undefined;
  const notSending = protocols.filter((name) => rest.includes(name));
  return { ready: ready === 1, starved: starved === 1, notSending };
}

function decodeCounts(value: unknown): Row['counts'] | undefined {
  if (!Array.isArray(value) || value.length < channels.length) return undefined;
  if (value.length > maxNewerItems) return undefined;
  const read: RowCounts[] = [];
  for (const counts of value as unknown[]) {
    const numbers = wholes(counts, 4, maxCount);
    if (!numbers) return undefined;
    const [reachable = 0, unreachable = 0, unknown = 0, degraded = 0] = numbers;
    if (degraded > reachable) return undefined;
    read.push({ reachable, unreachable, unknown, degraded });
  }
  return perChannel((_, number) => read[number] ?? noCounts);
}

function decodeZones(value: unknown): RowZone[] | undefined {
  if (!Array.isArray(value) || value.length > maxRowZones) return undefined;
  const read: RowZone[] = [];
  const seen = new Set<string>();
  for (const group of value as unknown[]) {
    if (!Array.isArray(group) || group.length > 1 + maxNewerItems) return undefined;
    const [zone, ...entries] = group as unknown[];
    if (typeof zone !== 'string' || !zonePattern.test(zone) || seen.has(zone)) return undefined;
    seen.add(zone);
    const used = new Set<number>();
    for (const entry of entries) {
      const [index = 0, paths = 0, p50Ns = 0, p99Ns = 0] = wholes(entry, 4, maxRttNs) ?? [-1];
      if (index < 0 || index > maxNewerNumber || used.has(index)) return undefined;
      if (paths > maxCount || p50Ns > p99Ns) return undefined;
      used.add(index);
      const channel = channels[index];
      if (channel) read.push({ zone, ...channel, paths, p50Ns, p99Ns });
    }
  }
  return read;
}

function decodeNodes(value: unknown): { paths: RowPath[]; heard: string[] } | undefined {
  if (!Array.isArray(value) || value.length > maxRowNodes) return undefined;
  const paths: RowPath[] = [];
  const heard: string[] = [];
  const seen = new Set<string>();
  for (const told of value as unknown[]) {
    if (!Array.isArray(told) || told.length < 3 || told.length > 2 + maxNewerItems)
      return undefined;
    const [node, isHeard, ...entries] = told as unknown[];
    if (typeof node !== 'string' || !namePattern.test(node) || seen.has(node)) return undefined;
    if (!isBit(isHeard)) return undefined;
    seen.add(node);
    if (isHeard === 1) heard.push(node);
    const used = new Set<number>();
    for (const entry of entries) {
      const read = decodePath(node, entry);
      if (!read || used.has(read.index)) return undefined;
      used.add(read.index);
      if (read.path) paths.push(read.path);
    }
  }
  return { paths, heard };
}

/** One path of a node: the number of its channel, and the path where that channel is known. */
function decodePath(node: string, value: unknown): { index: number; path?: RowPath } | undefined {
  const numbers = Array.isArray(value) ? (value as unknown[]) : [];
  if (numbers.length < 4 || numbers.length > maxNewerItems) return undefined;
  const [index, stateIndex, ageSeconds, failureIndex, ...more] = numbers;
  if (!isWhole(index, maxNewerNumber) || !isWhole(stateIndex, maxNewerNumber)) return undefined;
  if (!isWhole(ageSeconds, maxAgeSeconds)) return undefined;
  if (failureIndex !== -1 && !isWhole(failureIndex, maxNewerNumber)) return undefined;
  if (!more.every((item) => isWhole(item, maxRttNs))) return undefined;
  const channel = channels[index];
  if (!channel) return { index };
  const state = rowStates[stateIndex] ?? 'unknown';
  const failure = rowFailures[failureIndex];
  const isLossyHttp = state === 'lossy' && channel.protocol === 'http';
  const flows = isLossyHttp && !failure ? readFlows(more) : undefined;
  const facts = { ...(failure && { failure }), ...(flows && { flows }) };
  return { index, path: { node, ...channel, state, ageSeconds, ...facts } };
}

/** Flows of which some never pass; undefined where there are none, or where the numbers cannot be. */
function readFlows(numbers: readonly unknown[]): RowFlows | undefined {
  const [tried, failing, sometimes] = numbers;
  if (!isWhole(tried, maxRowFlows) || !isWhole(failing, tried) || !isWhole(sometimes, tried))
    return undefined;
  if (failing === 0 || failing + sometimes > tried || failing === tried) return undefined;
  return { tried, failing, sometimes };
}

/** That many whole numbers at the least. */
function wholes(value: unknown, length: number, max: number): number[] | undefined {
  if (!Array.isArray(value) || value.length < length || value.length > maxNewerItems)
    return undefined;
  return value.every((item): item is number => isWhole(item, max)) ? value : undefined;
}

function isWhole(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}

function isBit(value: unknown): value is 0 | 1 {
  return value === 0 || value === 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
