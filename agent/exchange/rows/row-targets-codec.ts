import { failureKinds } from '../../model/failure.js';
import { planes } from '../../model/path.js';
import {
  maxTargets,
  rowTargetStates,
  targetNamePattern,
  type RowServers,
  type RowTarget,
} from '../../model/target.js';
import { maskOf, serversOf, toldServers } from '../../peers/packed-targets.js';

/** Newer agents may send numbers up to this one, and this many items where fewer are known here. */
const maxNewerNumber = 255;
const maxNewerItems = 16;
/** Ages are limited to a year. */
const maxAgeSeconds = 366 * 86_400;
const maxRttNs = 3_600_000_000_000;
const maxDigest = 0xffff_ffff;
const maxServerMask = 2 ** toldServers - 1;
const maxServers = 255;

/**
 * One target from one plane: numbers of plane and state, age and time since the last look in tenths of seconds, number of the
 * failure or -1, p50 and p99 or 0, and the servers that fail as bits; of DNS also how many servers there are, and their digest.
 */
type WirePlane = [
  ...[number, number, number, number, number, number, number, number],
  ...([] | [count: number, digest: number]),
];

/** A target in the text of a row: its name, its digest, and each plane. */
export type WireTarget = [string, number, ...WirePlane[]];

/** Writes the targets of a row: some 150 bytes each at the most, where names are of usual length. */
export function encodeRowTargets(targets: readonly RowTarget[]): WireTarget[] {
  const byName = new Map<string, WireTarget>();
  for (const told of targets) {
    const wire = byName.get(told.target) ?? [told.target, told.digest];
    wire.push([
      planes.indexOf(told.plane),
      rowTargetStates.indexOf(told.state),
      tenthsOf(told.ageSeconds),
      tenthsOf(told.probedSeconds),
      told.failure === undefined ? -1 : failureKinds.indexOf(told.failure),
      Math.min(Math.round(told.p50Ns ?? 0), maxRttNs),
      Math.min(Math.round(told.p99Ns ?? 0), maxRttNs),
      maskOf(told.failingServers ?? []),
      ...(told.servers ? ([told.servers.count, told.servers.digest] as const) : ([] as const)),
    ]);
    byName.set(told.target, wire);
  }
  return [...byName.values()].slice(0, maxTargets);
}

/**
 * Reads what `encodeRowTargets` wrote. Undefined if it is malformed or there is too much. An unknown plane is
 * skipped, an unknown state is `unknown`, an unknown failure is left out.
 */
export function decodeRowTargets(value: unknown): RowTarget[] | undefined {
  if (!Array.isArray(value) || value.length > maxTargets) return undefined;
  const read: RowTarget[] = [];
  const seen = new Set<string>();
  for (const told of value as unknown[]) {
    if (!Array.isArray(told) || told.length < 3 || told.length > 2 + maxNewerItems)
      return undefined;
    const [target, digest, ...entries] = told as unknown[];
    if (typeof target !== 'string' || !targetNamePattern.test(target)) return undefined;
    if (seen.has(target) || !isWhole(digest, maxDigest)) return undefined;
    seen.add(target);
    const used = new Set<unknown>();
    for (const entry of entries) {
      const plane = Array.isArray(entry) ? (entry as unknown[])[0] : undefined;
      const one = decodePlane(target, digest, entry);
      if (one === 'malformed' || used.has(plane)) return undefined;
      used.add(plane);
      if (one) read.push(one);
    }
  }
  return read;
}

/** One plane; undefined where it is not known here. */
function decodePlane(
  target: string,
  digest: number,
  value: unknown,
): RowTarget | undefined | 'malformed' {
  const numbers = Array.isArray(value) ? (value as unknown[]) : [];
  if (numbers.length < 8 || numbers.length > maxNewerItems) return 'malformed';
  const [index, stateIndex, ageTenths, probedTenths, failureIndex, p50Ns, p99Ns, mask, ...more] =
    numbers;
  if (!isWhole(index, maxNewerNumber) || !isWhole(stateIndex, maxNewerNumber)) return 'malformed';
  if (!isWhole(ageTenths, 10 * maxAgeSeconds) || !isWhole(probedTenths, 10 * maxAgeSeconds))
    return 'malformed';
  if (failureIndex !== -1 && !isWhole(failureIndex, maxNewerNumber)) return 'malformed';
  if (!isWhole(p50Ns, maxRttNs) || !isWhole(p99Ns, maxRttNs) || p50Ns > p99Ns) return 'malformed';
  if (!isWhole(mask, maxServerMask)) return 'malformed';
  if (!more.every((item) => isWhole(item, maxRttNs))) return 'malformed';
  const plane = planes[index];
  if (!plane) return undefined;
  const failure = failureKinds[failureIndex];
  const servers = decodeServers(more);
  return {
    target,
    digest,
    plane,
    state: rowTargetStates[stateIndex] ?? 'unknown',
    ageSeconds: ageTenths / 10,
    probedSeconds: probedTenths / 10,
    ...(failure && { failure }),
    ...(p99Ns > 0 && { p50Ns, p99Ns }),
    ...(mask > 0 && { failingServers: serversOf(mask) }),
    ...(servers && { servers }),
  };
}

/** The servers that are asked; undefined where they are not told, or where the numbers cannot be. */
function decodeServers([count, digest]: readonly unknown[]): RowServers | undefined {
  if (!isWhole(count, maxServers) || count === 0 || !isWhole(digest, maxDigest)) return undefined;
  return { count, digest };
}

function tenthsOf(seconds: number): number {
  return Math.round(10 * Math.min(seconds, maxAgeSeconds));
}

function isWhole(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}
