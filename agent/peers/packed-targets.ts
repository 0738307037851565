import { failureKinds } from '../model/failure.js';
import { planes, type Plane } from '../model/path.js';
import { rowTargetStates, type RowServers, type RowTarget } from '../model/target.js';

/** The names and digests of a row's targets, and their servers by plane: mostly the same in all rows. */
export type TargetIds = readonly TargetId[];

interface TargetId {
  readonly target: string;
  readonly digest: number;
  readonly servers: Partial<Record<Plane, RowServers>>;
}

/** Targets in few bytes. */
export interface PackedTargets {
  readonly ids: TargetIds;
  readonly bytes: Uint8Array;
}

const entryBytes = 14;
/** Three bytes hold tenths of a second for a day, and whole seconds from there on for half a year. */
const [maxPacked, mostTenths] = [0xff_ffff, 864_000];
/** The logarithm of an RTT fills two bytes: it is right to a twentieth of a percent. */
const rttSteps = 1500;

/** Packs the targets of a row: 14 bytes for each target and plane, beside what is the same in all rows. */
export function packTargets(targets: readonly RowTarget[]): PackedTargets {
  const ids: TargetId[] = [];
  const view = new DataView(new ArrayBuffer(targets.length * entryBytes));
  targets.forEach((told, index) => {
    let id = ids.findIndex(({ target }) => target === told.target);
    if (id === -1) id = ids.push({ target: told.target, digest: told.digest, servers: {} }) - 1;
    const known = ids[id]?.servers;
    if (known && told.servers) known[told.plane] = told.servers;
    const at = index * entryBytes;
    const { plane, state, failure, ageSeconds, probedSeconds, p50Ns = 0, p99Ns = 0 } = told;
    view.setUint8(at, id | (planes.indexOf(plane) << 4) | (rowTargetStates.indexOf(state) << 5));
    view.setUint8(at + 1, failure === undefined ? 0 : failureKinds.indexOf(failure) + 1);
    setUint24(view, at + 2, packAge(ageSeconds));
    setUint24(view, at + 5, packAge(probedSeconds));
    view.setUint16(at + 8, packRtt(p50Ns));
    view.setUint16(at + 10, packRtt(p99Ns));
    view.setUint16(at + 12, maskOf(told.failingServers ?? []));
  });
  return { ids, bytes: new Uint8Array(view.buffer) };
}

/** Whether all is well that a row says of targets, or not known. */
export function areTargetsWell(targets: readonly RowTarget[] | undefined): boolean {
  return (targets ?? []).every(
    ({ state, failingServers }) =>
      state === 'unknown' || (state === 'reachable' && failingServers === undefined),
  );
}

/** Unpacks what `packTargets` packed. */
export function unpackTargets({ ids, bytes }: PackedTargets): RowTarget[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const targets: RowTarget[] = [];
  for (let at = 0; at < bytes.length; at += entryBytes) {
    const head = view.getUint8(at);
    const id = ids[head & 15];
    const plane = planes[(head >> 4) & 1];
    const state = rowTargetStates[head >> 5];
    if (!id || !plane || !state) continue;
    const { target, digest } = id;
    const ageSeconds = unpackAge(getUint24(view, at + 2));
    const probedSeconds = unpackAge(getUint24(view, at + 5));
    const told: Writable<RowTarget> = { target, digest, plane, state, ageSeconds, probedSeconds };
    // There may be 160,000 of these in one diagnosis: spreading objects takes ten times as long.
    const failure = failureKinds[view.getUint8(at + 1) - 1];
    const p99 = view.getUint16(at + 10);
    const mask = view.getUint16(at + 12);
    if (failure) told.failure = failure;
    if (p99 > 0) {
      told.p50Ns = unpackRtt(view.getUint16(at + 8));
      told.p99Ns = unpackRtt(p99);
    }
    if (mask > 0) told.failingServers = serversOf(mask);
    const servers = id.servers[plane];
    if (servers) told.servers = servers;
    targets.push(told);
  }
  return targets;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function packAge(seconds: number): number {
  const tenths = Math.round(10 * seconds);
  if (tenths < mostTenths) return tenths;
  return Math.min(Math.floor(seconds) - mostTenths / 10 + mostTenths, maxPacked);
}

function unpackAge(packed: number): number {
  return packed < mostTenths ? packed / 10 : packed - mostTenths + mostTenths / 10;
}

function packRtt(ns: number): number {
  return ns <= 0 ? 0 : Math.min(Math.round(Math.log2(ns + 1) * rttSteps), 0xffff);
}

function unpackRtt(packed: number): number {
  return packed === 0 ? 0 : Math.max(Math.round(2 ** (packed / rttSteps) - 1), 1);
}

/** Servers of a target that are told of, one bit each. */
export const toldServers = 16;

/** The numbers of failing servers as bits. */
export function maskOf(servers: readonly number[]): number {
  return servers.reduce((mask, server) => (server < toldServers ? mask | (1 << server) : mask), 0);
}

/** The numbers of the bits that are set. */
export function serversOf(mask: number): number[] {
  const servers: number[] = [];
  for (let server = 0; server < toldServers; server++)
    if ((mask & (1 << server)) !== 0) servers.push(server);
  return servers;
}

function setUint24(view: DataView, at: number, value: number): void {
  view.setUint8(at, value >>> 16);
  view.setUint16(at + 1, value & 0xffff);
}

function getUint24(view: DataView, at: number): number {
  return (view.getUint8(at) << 16) | view.getUint16(at + 1);
}
