import { failureKinds } from '../../model/failure.js';
import { planes } from '../../model/path.js';
import {
  isWellLook,
  maxTargets,
  rowTargetStates,
  targetNamePattern,
  type RowServers,
  type RowTarget,
} from '../../model/target.js';
import { isNearRtt } from './near-rtt.js';
import {
  maxAgeSeconds,
  maxNewerItems,
  maxNewerNumber,
  maxRttNs,
  type ValueReader,
} from './value-reader.js';

const maxDigest = 0xffff_ffff;
/** Servers of a target that are told of, one bit each. */
const toldServers = 16;
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

/** A target: its name, its digest, and each plane. */
export type WireTarget = [string, number, ...WirePlane[]];

/** Some 150 bytes a target at the most, where names are of usual length. */
export function encodeTargets(targets: readonly RowTarget[]): WireTarget[] {
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
 * Reads what `encodeTargets` wrote. An unknown plane is skipped, an unknown state is `unknown`, an unknown failure is
 * left out.
 *
 * @throws MalformedRow
 */
export function decodeTargets(read: ValueReader): RowTarget[] {
  const targets: RowTarget[] = [];
  const names: string[] = [];
  for (let left = read.list(0, maxTargets); left > 0; left--) {
    const items = read.list(3, 2 + maxNewerItems);
    const target = read.text(targetNamePattern);
    const digest = read.whole(maxDigest);
    names.push(target);
    const used: number[] = [];
    for (let entries = items - 2; entries > 0; entries--) {
      const numbers = read.list(8, maxNewerItems);
      const index = read.whole(maxNewerNumber);
      used.push(index);
      const told = decodePlane(read, { target, digest, plane: planes[index] ?? 'host' });
      const servers = decodeServers(read, numbers - 8);
      if (servers) told.servers = servers;
      if (index < planes.length) targets.push(told);
    }
    read.mustBeUnique(used);
  }
  read.mustBeUnique(names);
  return targets;
}

/** Whether all is well that a row says of targets, or not known. */
export function areTargetsWell(targets: readonly RowTarget[] | undefined): boolean {
  return (targets ?? []).every(isWellLook);
}

/** Whether they tell a reader the same: ages and small moves of RTTs are no change. */
export function areSameTargets(
  before: readonly RowTarget[] = [],
  after: readonly RowTarget[] = [],
): boolean {
  return (
    before.length === after.length &&
    before.every((told, index) => {
      const other = after[index];
      return other !== undefined && keyOf(told) === keyOf(other) && isNearRtt(told, other);
    })
  );
}

function keyOf({ target, digest, plane, state, ...rest }: RowTarget): string {
  const { failure = '', failingServers = [], servers = '' } = rest;
  return JSON.stringify([target, digest, plane, state, failure, failingServers, servers]);
}

type Told = { -readonly [K in keyof RowTarget]: RowTarget[K] };

function decodePlane(
  read: ValueReader,
  { target, digest, plane }: Pick<RowTarget, 'target' | 'digest' | 'plane'>,
): Told {
  const state = rowTargetStates[read.whole(maxNewerNumber)] ?? 'unknown';
  const ageSeconds = read.whole(10 * maxAgeSeconds) / 10;
  const probedSeconds = read.whole(10 * maxAgeSeconds) / 10;
  const failure = failureKinds[read.wholeOrNone(maxNewerNumber)];
  const p50Ns = read.whole(maxRttNs);
  const p99Ns = read.whole(maxRttNs);
  if (p50Ns > p99Ns) read.refuse('p50 above p99');
  const mask = read.whole(maxServerMask);
  // There may be 160,000 of these in one diagnosis: spreading objects takes ten times as long.
  const told: Told = { target, digest, plane, state, ageSeconds, probedSeconds };
  if (failure) told.failure = failure;
  if (p99Ns > 0) {
    told.p50Ns = p50Ns;
    told.p99Ns = p99Ns;
  }
  if (mask > 0) told.failingServers = serversOf(mask);
  return told;
}

/** The servers that are asked; undefined where they are not told, or where the numbers cannot be. */
function decodeServers(read: ValueReader, numbers: number): RowServers | undefined {
  if (numbers === 0) return undefined;
  const count = read.newerValue();
  const digest = numbers > 1 ? read.newerValue() : Infinity;
  read.newer(numbers - 2);
  if (count === 0 || count > maxServers || digest > maxDigest) return undefined;
  return { count, digest };
}

function tenthsOf(seconds: number): number {
  return Math.round(10 * Math.min(seconds, maxAgeSeconds));
}

/** The numbers of failing servers as bits. */
function maskOf(servers: readonly number[]): number {
  return servers.reduce((mask, server) => (server < toldServers ? mask | (1 << server) : mask), 0);
}

/** The numbers of the bits that are set. */
function serversOf(mask: number): number[] {
  const servers: number[] = [];
  for (let server = 0; server < toldServers; server++)
    if ((mask & (1 << server)) !== 0) servers.push(server);
  return servers;
}
