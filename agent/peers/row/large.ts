import { isAddress } from '../../model/address.js';
import { nameHash } from '../../model/name-hash.js';
import { planes } from '../../model/path.js';
import {
  leastLimitBytes,
  maxLargeLosses,
  maxLargePasses,
  mostLimitBytes,
  tunnelKinds,
  type RowLarge,
  type RowLargeLimit,
  type RowLargeLoss,
  type RowLargePass,
} from '../../model/row-large.js';
import type { Row } from '../../model/row.js';
import { maxAgeSeconds, maxNewerItems, maxNewerNumber, type ValueReader } from './value-reader.js';

/**
 * What a row tells of large packets takes at most so many bytes. It is told where large packets are lost, so the row
 * should fit into one packet. A part is for what passes: without it nobody knows how far the trouble goes.
 */
export const maxLargeBytes = 640;
const passesBytes = 256;

/** An address, or nothing. */
const routerPattern = /^[0-9a-fA-F:.]{0,45}$/;

/**
 * Adds what this agent knows of large packets to its row. A path that does not work, or that loses small packets
 * too, says nothing of the size.
 */
export function withLarge(row: Row, { lost, passed }: RowLarge): Row {
  const unfit = new Set<string>();
  for (const { node, plane, protocol, state } of row.paths) {
    const isDead = protocol === 'http' && (state === 'unreachable' || state === 'unknown');
    if (isDead || (protocol === 'icmp' && state === 'lossy')) unfit.add(`${plane} ${node}`);
  }
  const kept = lost.filter(({ node, plane }) => !unfit.has(`${plane} ${node}`));
  return kept.length + passed.length === 0 ? row : { ...row, large: { lost: kept, passed } };
}

/** Bounds it to what is sent: of the losses those whose names have the lowest hash, as all agents choose. */
export function boundLarge({ lost, passed }: RowLarge): RowLarge {
  const chosen =
    lost.length <= maxLargeLosses
      ? lost
      : [...lost].sort((a, b) => nameHash(a.node) - nameHash(b.node)).slice(0, maxLargeLosses);
  return { lost: chosen, passed: passed.slice(0, maxLargePasses) };
}

/** A path: its node, its plane, the age; of a loss also whether it is on the way back, and the limit. */
type WirePass = [string, number, number];
type WireLoss = [string, number, number, 0 | 1, ...([number, number, string, number?] | [])];

/** Two lists. What does not fit is left out. */
export function encodeLarge({ lost, passed }: RowLarge): {
  readonly lost: readonly WireLoss[];
  readonly passed: readonly WirePass[];
} {
  const bytes = maxLargeBytes - '{"lost":[],"passed":[]}'.length;
  const allPasses = passed.slice(0, maxLargePasses).map(wirePass);
  const reserved = fitting(allPasses, passesBytes);
  const losses = fitting(lost.slice(0, maxLargeLosses).map(wireLoss), bytes - lengthOf(reserved));
  return { lost: losses, passed: fitting(allPasses, bytes - lengthOf(losses)) };
}

/**
 * Reads the two lists, without nodes that are listed no more. An unknown plane and further items are skipped.
 *
 * @throws MalformedRow
 */
export function decodeLarge(read: ValueReader): RowLarge {
  const lost = decodeList(read, maxLargeLosses, decodeLoss);
  return { lost, passed: decodeList(read, maxLargePasses, decodePass) };
}

/** Whether they tell a reader the same, whatever their ages are. */
export function isSameLarge(before: RowLarge | undefined, after: RowLarge | undefined): boolean {
  return JSON.stringify(withoutAges(before)) === JSON.stringify(withoutAges(after));
}

function withoutAges(large: RowLarge | undefined): unknown {
  return [
    large?.lost.map(({ node, plane, isBack = false, limit = 0 }) => [node, plane, isBack, limit]),
    large?.passed.map(({ node, plane }) => [node, plane]),
  ];
}

function wireLoss({ node, plane, ageSeconds, isBack, limit }: RowLargeLoss): WireLoss {
  const age = Math.min(ageSeconds, maxAgeSeconds);
  const path = [node, planes.indexOf(plane), age, isBack ? 1 : 0] as const;
  return limit ? [...path, ...wireLimit(limit)] : [...path];
}

/** Kinds of tunnels are bits, by their place in the list of all. */
function wireLimit({
  bytes,
  interfaceBytes,
  saidBy = '',
  tunnels = [],
}: RowLargeLimit): [number, number, string, number?] {
  const bits = tunnels.reduce((sum, kind) => sum | (1 << tunnelKinds.indexOf(kind)), 0);
  return bits === 0 ? [bytes, interfaceBytes, saidBy] : [bytes, interfaceBytes, saidBy, bits];
}

function wirePass({ node, plane, ageSeconds }: RowLargePass): WirePass {
  return [node, planes.indexOf(plane), Math.min(ageSeconds, maxAgeSeconds)];
}

function lengthOf(items: readonly unknown[]): number {
  return items.reduce<number>((sum, item) => sum + JSON.stringify(item).length + 1, 0);
}

function fitting<T>(items: readonly T[], bytes: number): T[] {
  let left = bytes;
  const end = items.findIndex((item) => (left -= lengthOf([item])) < 0);
  return end === -1 ? [...items] : items.slice(0, end);
}

/** Reads a list in which each path stands once. */
function decodeList<T>(
  read: ValueReader,
  most: number,
  decode: (read: ValueReader, pass: RowLargePass, more: number) => T,
): T[] {
  const kept: T[] = [];
  const keys: string[] = [];
  for (let left = read.list(0, most); left > 0; left--) {
    const items = read.list(3, maxNewerItems);
    const node = read.node();
    const index = read.whole(maxNewerNumber);
    const ageSeconds = read.whole(maxAgeSeconds);
    const plane = planes[index];
    const one = decode(read, { node: node ?? '', plane: plane ?? 'host', ageSeconds }, items - 3);
    if (node !== undefined) keys.push(`${index} ${node}`);
    if (node !== undefined && plane) kept.push(one);
  }
  read.mustBeUnique(keys);
  return kept;
}

function decodePass(read: ValueReader, pass: RowLargePass, more: number): RowLargePass {
  read.skip(more);
  return pass;
}

function decodeLoss(read: ValueReader, pass: RowLargePass, more: number): RowLargeLoss {
  if (more < 1) read.refuse('a loss without a direction');
  const isBack = read.bit();
  const limit = more > 1 ? decodeLimit(read, more - 1) : undefined;
  return { ...pass, ...(isBack && { isBack: true as const }), ...(limit && { limit }) };
}

function decodeLimit(read: ValueReader, items: number): RowLargeLimit {
  if (items < 3) read.refuse('a part of a limit');
  const [bytes, interfaceBytes] = [read.whole(mostLimitBytes), read.whole(mostLimitBytes)];
  // A limit is one because the interface takes more.
  if (bytes < leastLimitBytes || interfaceBytes <= bytes) read.refuse('a limit that is none');
  const saidBy = read.text(routerPattern);
  if (saidBy !== '' && !isAddress(saidBy)) read.refuse('a router without an address');
  const bits = items > 3 ? read.whole(maxNewerNumber) : 0;
  read.skip(Math.max(items - 4, 0));
  const tunnels = tunnelKinds.filter((_, place) => ((bits >> place) & 1) === 1);
  return {
    bytes,
    interfaceBytes,
    ...(saidBy !== '' && { saidBy }),
    ...(tunnels.length > 0 && { tunnels }),
  };
}
