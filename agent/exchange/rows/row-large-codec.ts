import { isIP } from 'node:net';
import { planes } from '../../model/path.js';
import {
  leastLimitBytes,
  maxLargeLosses,
  maxLargePasses,
  mostLimitBytes,
  type RowLarge,
  type RowLargeLimit,
  type RowLargeLoss,
  type RowLargePass,
} from '../../model/row-large.js';

/**
 * What a row tells of large packets takes at most so many bytes. It is told where large packets are lost, so the row
 * should fit into one packet. A part is for what passes: without it nobody knows how far the trouble goes.
 */
export const maxLargeBytes = 640;
const passesBytes = 256;

/** Newer agents may send numbers up to this one, and this many items where fewer are known here. */
const maxNewerNumber = 255;
const maxNewerItems = 16;
/** Ages are limited to a year. */
const maxAgeSeconds = 366 * 86_400;
const namePattern = /^[A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253}$/;

/** A path: its node, its plane, the age; of a loss also whether it is on the way back, and the limit. */
type WirePass = [string, number, number];
type WireLoss = [string, number, number, 0 | 1, ...([number, number, string] | [])];

/** Writes what a row tells of large packets. What does not fit is left out. */
export function encodeRowLarge({ lost, passed }: RowLarge): string {
  const bytes = maxLargeBytes - '{"lost":[],"passed":[]}'.length;
  const wirePasses = passed.slice(0, maxLargePasses).map(wirePass);
  const reserved = fitting(wirePasses, passesBytes);
  const losses = fitting(lost.slice(0, maxLargeLosses).map(wireLoss), bytes - lengthOf(reserved));
  const passes = fitting(wirePasses, bytes - lengthOf(losses));
  return `{"lost":[${losses.join()}],"passed":[${passes.join()}]}`;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
}

function wireLoss({ node, plane, ageSeconds, isBack, limit }: RowLargeLoss): WireLoss {
  const age = Math.min(ageSeconds, maxAgeSeconds);
  const found = limit
    ? ([limit.bytes, limit.interfaceBytes, limit.saidBy ?? ''] as const)
    : ([] as const);
  return [node, planes.indexOf(plane), age, isBack ? 1 : 0, ...found];
}

function wirePass({ node, plane, ageSeconds }: RowLargePass): WirePass {
  return [node, planes.indexOf(plane), Math.min(ageSeconds, maxAgeSeconds)];
}

function fitting(items: readonly unknown[], bytes: number): string[] {
  const texts: string[] = [];
  let left = bytes;
  for (const item of items) {
    const text = JSON.stringify(item);
    left -= Buffer.byteLength(text) + 1;
    if (left < 0) break;
    texts.push(text);
  }
  return texts;
}

/**
 * Reads what `encodeRowLarge` wrote. Undefined if it is malformed or there is too much. An unknown plane and further
 * items are skipped.
 */
export function decodeRowLarge(value: unknown): RowLarge | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { lost, passed } = value as Record<string, unknown>;
  const losses = decodeList(lost, maxLargeLosses, decodeLoss);
  const passes = decodeList(passed, maxLargePasses, decodePass);
  return losses && passes && { lost: losses, passed: passes };
}

/** Reads a list in which each path stands once. */
function decodeList<T>(
  value: unknown,
  most: number,
  decode: (pass: RowLargePass, more: readonly unknown[]) => T | undefined,
): T[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined;
  const read: T[] = [];
  const seen = new Set<string>();
  for (const item of value as unknown[]) {
    if (!Array.isArray(item) || item.length < 3 || item.length > maxNewerItems) return undefined;
    const [node, index, ageSeconds, ...more] = item as unknown[];
    if (typeof node !== 'string' || !namePattern.test(node)) return undefined;
    if (!isWhole(index, 0, maxNewerNumber) || !isWhole(ageSeconds, 0, maxAgeSeconds))
      return undefined;
    const key = `${index} ${node}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
    const plane = planes[index];
    const one = decode({ node, plane: plane ?? 'host', ageSeconds }, more);
    if (one === undefined) return undefined;
    if (plane) read.push(one);
  }
  return read;
}

function decodePass(pass: RowLargePass): RowLargePass {
  return pass;
}

function decodeLoss(pass: RowLargePass, more: readonly unknown[]): RowLargeLoss | undefined {
  const [back, ...found] = more;
  if (back !== 0 && back !== 1) return undefined;
  const limit = found.length === 0 ? undefined : decodeLimit(found);
  if (found.length > 0 && !limit) return undefined;
  return { ...pass, ...(back === 1 && { isBack: true }), ...(limit && { limit }) };
}

function decodeLimit([bytes, interfaceBytes, saidBy]: readonly unknown[]):
  RowLargeLimit | undefined {
  if (!isWhole(bytes, leastLimitBytes, mostLimitBytes)) return undefined;
  // A limit is one because the interface takes more.
  if (!isWhole(interfaceBytes, bytes + 1, mostLimitBytes)) return undefined;
  if (typeof saidBy !== 'string' || (saidBy !== '' && isIP(saidBy) === 0)) return undefined;
  return { bytes, interfaceBytes, ...(saidBy !== '' && { saidBy }) };
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
