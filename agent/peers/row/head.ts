import type { Row, RowHealth } from '../../model/row.js';
import { protocols } from '../../model/sample.js';
import { maxNewerItems, type ValueReader } from './value-reader.js';

/** What a row says of its observer, and how it probes. */
export type RowHead = Pick<
  Row,
  'version' | 'httpIntervalMs' | 'httpTimeoutMs' | 'omittedNodes' | 'health'
>;

/** The longest interval and timeout of an observer. */
export const maxMs = 1e10;
const maxCount = 1_000_000;
const versionPattern = /^[0-9A-Za-z.+-]{1,32}$/;
const protocolPattern = /^[a-z0-9-]{1,16}$/;

/** The fields of the row's object, in the order in which they are kept. */
export const headFields = [
  'version',
  'httpIntervalMs',
  'httpTimeoutMs',
  'omittedNodes',
  'health',
] as const;

export function encodeHead(
  row: RowHead,
  omittedNodes: number,
): Record<(typeof headFields)[number], unknown> {
  const { ready, starved, notSending } = row.health;
  return {
    version: row.version,
    httpIntervalMs: Math.round(row.httpIntervalMs),
    httpTimeoutMs: Math.round(row.httpTimeoutMs),
    health: [ready ? 1 : 0, starved ? 1 : 0, ...notSending],
    omittedNodes,
  };
}

/** @throws MalformedRow */
export function decodeHead(read: ValueReader): RowHead {
  const version = read.text(versionPattern);
  const [httpIntervalMs, httpTimeoutMs] = [read.whole(maxMs), read.whole(maxMs)];
  const omittedNodes = read.whole(maxCount);
  return { version, httpIntervalMs, httpTimeoutMs, omittedNodes, health: decodeHealth(read) };
}

export function isSameHead(before: RowHead, after: RowHead): boolean {
  return headFields.every((field) => {
    if (field !== 'health') return before[field] === after[field];
    const [a, b] = [before.health, after.health];
    return (
      a.ready === b.ready && a.starved === b.starved && a.notSending.join() === b.notSending.join()
    );
  });
}

/** Protocols that are not known here are left out. */
function decodeHealth(read: ValueReader): RowHealth {
  const items = read.list(2, 2 + maxNewerItems);
  const [ready, starved] = [read.bit(), read.bit()];
  const names = Array.from({ length: items - 2 }, () => read.text(protocolPattern));
  read.mustBeUnique(names);
  return { ready, starved, notSending: protocols.filter((name) => names.includes(name)) };
}
