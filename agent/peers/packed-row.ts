import { channels, channelNumber, perChannel } from '../model/channel.js';
import { pathFailureKinds, type FailureKind } from '../model/failure.js';
import {
  rowPathStates,
  type Row,
  type RowCounts,
  type RowFlows,
  type RowList,
  type RowPath,
  type RowZone,
} from '../model/row.js';

import { packLarge, unpackLarge, type PackedLarge } from './packed-large.js';
import { packTargets, unpackTargets, type TargetIds } from './packed-targets.js';

/** Numbers for nodes and zones, shared by the packed rows of all observers. */
export interface RowNames {
  readonly numberOfNode: (name: string) => number | undefined;
  /** Undefined where the node is listed no more. */
  readonly nodeOfNumber: (number: number) => string | undefined;
  readonly numberOfZone: (zone: string) => number | undefined;
  /** Undefined where no node of that zone is listed any more. */
  readonly zoneOfNumber: (number: number) => string | undefined;
}

/** A row in few bytes, and what is the same in most rows: thousands of them share it. */
export interface PackedRow {
  readonly bytes: Uint8Array;
  readonly version: string;
  readonly list: RowList | undefined;
  /** The names of its targets, whose states are the last of the bytes. */
  readonly targets: TargetIds | undefined;
  /** What it tells of large packets. */
  readonly large: PackedLarge | undefined;
}

/** The number of a failure fills four bits. */
const failureNumbers: readonly FailureKind[] = pathFailureKinds;
const noFailure = 15;
/** In the place of a failure: the path has none, and its flows follow in three bytes. */
const hasFlows = 14;
const flowsBytes = 3;
const headBytes = 4 + 4 + 1 + 4 + 4 * channels.length * 4 + 1 + 1;
const nodeBytes = 5;
const pathBytes = 4;
const zoneBytes = 5;
const zoneEntryBytes = 12;
const maxPackedAge = 0xff_ffff;

/**
 * Packs a row into few bytes: some 150 if all is well, some 1,400 if 64 nodes are dead. Nodes and
 * zones that are not listed are left out.
 */
export function packRow(row: Row, names: RowNames): PackedRow {
  const nodes = groupBy(row.paths, ({ node }) => node).flatMap(([name, paths]) => {
    const number = names.numberOfNode(name);
    return number === undefined ? [] : [{ number, paths, isHeard: row.heard?.includes(name) }];
  });
  const zones = groupBy(row.zones, ({ zone }) => zone).flatMap(([zone, entries]) => {
    const number = names.numberOfZone(zone);
    return number === undefined ? [] : [{ number, entries }];
  });
  const zoneEntries = zones.reduce((sum, { entries }) => sum + entries.length, 0);
  const pathCount = nodes.reduce((sum, { paths }) => sum + paths.length, 0);
  const flowCount = nodes.reduce(
    (sum, { paths }) => sum + paths.filter(({ flows }) => flows).length,
    0,
  );
  const targets = row.targets && packTargets(row.targets);
  const ownBytes =
    headBytes +
    nodes.length * nodeBytes +
    pathCount * pathBytes +
    flowCount * flowsBytes +
    zones.length * zoneBytes +
    zoneEntries * zoneEntryBytes;
  // One array for all: there are thousands of rows, and each array has a price of its own.
  const bytes = new Uint8Array(ownBytes + (targets?.bytes.length ?? 0));
  if (targets) bytes.set(targets.bytes, ownBytes);
  const view = new DataView(bytes.buffer, 0, ownBytes);
  const write = new Writer(view);
  const { ready, starved, notSending } = row.health;
  write.u32(row.httpIntervalMs);
  write.u32(row.httpTimeoutMs);
  write.u8(
    (ready ? 1 : 0) |
      (starved ? 2 : 0) |
      (notSending.includes('icmp') ? 4 : 0) |
      (notSending.includes('http') ? 8 : 0),
  );
  write.u32(row.omittedNodes);
  for (const { plane, protocol } of channels) {
    const { reachable, unreachable, unknown, degraded } = row.counts[plane][protocol];
    for (const count of [reachable, unreachable, unknown, degraded]) write.u32(count);
  }
  write.u8(nodes.length);
  for (const { number, paths, isHeard } of nodes) {
    write.u32(number);
    write.u8(paths.length | (isHeard === true ? 0x80 : 0));
    for (const { plane, protocol, state, ageSeconds, failure, flows } of paths) {
      const unfailing = flows ? hasFlows : noFailure;
      const code = failure === undefined ? unfailing : failureNumbers.indexOf(failure);
      write.u8(channelNumber(plane, protocol) | (rowPathStates.indexOf(state) << 2) | (code << 4));
      write.u24(Math.min(ageSeconds, maxPackedAge));
      if (code === hasFlows && flows) {
        for (const count of [flows.tried, flows.failing, flows.sometimes]) write.u8(count);
      }
    }
  }
  write.u8(zones.length);
  for (const { number, entries } of zones) {
    write.u32(number);
    write.u8(entries.length);
    for (const { plane, protocol, paths, p50Ns, p99Ns } of entries) {
      write.u8(channelNumber(plane, protocol));
      write.u24(paths);
      write.f32(p50Ns);
      write.f32(p99Ns);
    }
  }
  return {
    bytes,
    version: row.version,
    list: row.list,
    targets: targets?.ids,
    large: row.large && packLarge(row.large, names),
  };
}

/**
 * Unpacks a row, without nodes and zones that are no longer listed. RTTs keep seven digits. Its targets are
 * unpacked when they are read: mostly nobody does.
 */
export function unpackRow(
  observer: string,
  { bytes, version, list, targets: ids, large }: PackedRow,
  names: RowNames,
): Row {
  const read = new Reader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const [httpIntervalMs, httpTimeoutMs] = [read.u32(), read.u32()];
  const health = read.u8();
  const omittedNodes = read.u32();
  const counts = perChannel((): RowCounts => {
    const [reachable, unreachable] = [read.u32(), read.u32()];
    const [unknown, degraded] = [read.u32(), read.u32()];
    return { reachable, unreachable, unknown, degraded };
  });
  const { paths, heard } = readNodes(read, names);
  const zones = readZones(read, names);
  const row: Row = {
    observer,
    version,
    httpIntervalMs,
    httpTimeoutMs,
    health: {
      ready: (health & 1) > 0,
      starved: (health & 2) > 0,
      notSending: [
        ...((health & 4) > 0 ? (['icmp'] as const) : []),
        ...((health & 8) > 0 ? (['http'] as const) : []),
      ],
    },
    counts,
    paths,
    omittedNodes,
    zones,
    ...(list && { list }),
    ...(heard.length > 0 && { heard }),
    ...(large && { large: unpackLarge(large, names) }),
  };
  if (!ids) return row;
  const packed = { ids, bytes: bytes.subarray(read.at) };
  return {
    ...row,
    get targets() {
      return unpackTargets(packed);
    },
  };
}

function readNodes(read: Reader, names: RowNames): { paths: RowPath[]; heard: string[] } {
  const paths: RowPath[] = [];
  const heard: string[] = [];
  for (let left = read.u8(); left > 0; left--) {
    const node = names.nodeOfNumber(read.u32());
    const count = read.u8();
    if (node !== undefined && (count & 0x80) > 0) heard.push(node);
    for (let entries = count & 0x7f; entries > 0; entries--) {
      const code = read.u8();
      const ageSeconds = read.u24();
      const channel = channels[code & 3];
      const state = rowPathStates[(code >> 2) & 3];
      const failure = pathFailureKinds[code >> 4];
      const flows = code >> 4 === hasFlows ? readFlows(read) : undefined;
      if (node === undefined || !channel || !state) continue;
      // There may be 150,000 of these in one diagnosis: spreading objects takes three times as long.
      const { plane, protocol } = channel;
      if (flows) {
        paths.push({ node, plane, protocol, state, ageSeconds, flows });
        continue;
      }
      paths.push(
        failure === undefined
          ? { node, plane, protocol, state, ageSeconds }
          : { node, plane, protocol, state, ageSeconds, failure },
      );
    }
  }
  return { paths, heard };
}

function readFlows(read: Reader): RowFlows {
  const [tried, failing, sometimes] = [read.u8(), read.u8(), read.u8()];
  return { tried, failing, sometimes };
}

function readZones(read: Reader, names: RowNames): RowZone[] {
  const zones: RowZone[] = [];
  for (let left = read.u8(); left > 0; left--) {
    const zone = names.zoneOfNumber(read.u32());
    for (let entries = read.u8(); entries > 0; entries--) {
      const channel = channels[read.u8()];
      const [paths, p50Ns, p99Ns] = [read.u24(), read.f32(), read.f32()];
      if (zone !== undefined && channel) zones.push({ zone, ...channel, paths, p50Ns, p99Ns });
    }
  }
  return zones;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups];
}

/** Writes numbers one after the other. */
class Writer {
  readonly #view: DataView;
  #at = 0;

  constructor(view: DataView) {
    this.#view = view;
  }

  u8(value: number): void {
    this.#view.setUint8(this.#at++, value);
  }

  u16(value: number): void {
    this.#view.setUint16(this.#at, value);
    this.#at += 2;
  }

  u24(value: number): void {
    this.u8(value >>> 16);
    this.u16(value & 0xffff);
  }

  u32(value: number): void {
    this.#view.setUint32(this.#at, value);
    this.#at += 4;
  }

  f32(value: number): void {
    this.#view.setFloat32(this.#at, value);
    this.#at += 4;
  }
}

/** Reads what a writer wrote, in the same order. */
class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor(view: DataView) {
    this.#view = view;
  }

  /** How many bytes were read. */
  get at(): number {
    return this.#at;
  }

  u8(): number {
    return this.#view.getUint8(this.#at++);
  }

  u16(): number {
    this.#at += 2;
    return this.#view.getUint16(this.#at - 2);
  }

  u24(): number {
    const high = this.u8();
    return (high << 16) | this.u16();
  }

  u32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4);
  }

  f32(): number {
    this.#at += 4;
    return this.#view.getFloat32(this.#at - 4);
  }
}
