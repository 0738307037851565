import { readAddress } from '../model/address.js';
import { isName } from '../model/node-name.js';

/** A value as a mapping; an empty one where it is none, so that reading on never throws. */
export function mappingOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

const longestList = 64;

/** A value as a list, cut where it is absurdly long; an empty one where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, longestList) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Epoch milliseconds of an RFC 3339 time, or undefined. */
export function timeOf(value: unknown): number | undefined {
  const ms = Date.parse(textOf(value));
  return Number.isNaN(ms) ? undefined : ms;
}

/** Those of the values that can be probed, in canonical form, each once. */
export function addressesOf(values: readonly unknown[]): string[] {
  const results = values.map((value) => readAddress(textOf(value)));
  return [...new Set(results.flatMap((result) => ('ip' in result ? [result.ip] : [])))];
}

/** A node's name, or undefined where no node can have it. */
export function nodeNameOf(value: unknown): string | undefined {
  return typeof value === 'string' && isName(value) ? value : undefined;
}
