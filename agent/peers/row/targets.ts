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
const maskedServers = 16;
const maxServerMask = 2 ** maskedServers - 1;
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
  for (const reported of targets) {
    const wire = byName.get(reported.target) ?? [reported.target, reported.digest];
    wire.push([
      planes.indexOf(reported.plane),
      rowTargetStates.indexOf(reported.state),
      tenthsOf(reported.ageSeconds),
      tenthsOf(reported.probedSeconds),
      reported.failure === undefined ? -1 : failureKinds.indexOf(reported.failure),
      Math.min(Math.round(reported.p50Ns ?? 0), maxRttNs),
      Math.min(Math.round(reported.p99Ns ?? 0), maxRttNs),
      maskOf(reported.failingServers ?? []),
      ...(reported.servers
        ? ([reported.servers.count, reported.servers.digest] as const)
        : ([] as const)),
    ]);
    byName.set(reported.target, wire);
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
      const reported = decodePlane(read, { target, digest, plane: planes[index] ?? 'host' });
      const servers = decodeServers(read, numbers - 8);
      if (servers) reported.servers = servers;
      if (index < planes.length) targets.push(reported);
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
    before.every((reported, index) => {
      const other = after[index];
      return other !== undefined && keyOf(reported) === keyOf(other) && isNearRtt(reported, other);
    })
  );
}

function keyOf({ target, digest, plane, state, ...rest }: RowTarget): string {
  const { failure = '', failingServers = [], servers = '' } = rest;
  return JSON.stringify([target, digest, plane, state, failure, failingServers, servers]);
}

type Reported = { -readonly [K in keyof RowTarget]: RowTarget[K] };

function decodePlane(
  read: ValueReader,
  { target, digest, plane }: Pick<RowTarget, 'target' | 'digest' | 'plane'>,
): Reported {
  const state = rowTargetStates[read.whole(maxNewerNumber)] ?? 'unknown';
  const ageSeconds = read.whole(10 * maxAgeSeconds) / 10;
  const probedSeconds = read.whole(10 * maxAgeSeconds) / 10;
  const failure = failureKinds[read.wholeOrNone(maxNewerNumber)];
  const p50Ns = read.whole(maxRttNs);
  const p99Ns = read.whole(maxRttNs);
  if (p50Ns > p99Ns) read.refuse('p50 above p99');
  const mask = read.whole(maxServerMask);
  // There may be 160,000 of these in one diagnosis: spreading objects takes ten times as long.
  const reported: Reported = { target, digest, plane, state, ageSeconds, probedSeconds };
  if (failure) reported.failure = failure;
  if (p99Ns > 0) {
    reported.p50Ns = p50Ns;
    reported.p99Ns = p99Ns;
  }
  if (mask > 0) reported.failingServers = serversOf(mask);
  return reported;
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
  return servers.reduce(
    (mask, server) => (server < maskedServers ? mask | (1 << server) : mask),
    0,
  );
}

/** The numbers of the bits that are set. */
function serversOf(mask: number): number[] {
  const servers: number[] = [];
  for (let server = 0; server < maskedServers; server++)
    if ((mask & (1 << server)) !== 0) servers.push(server);
  return servers;
}
