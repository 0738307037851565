import type { RowRefutation } from '../../model/refutation.js';
import type { Row, RowHealth } from '../../model/row.js';
import { protocols } from '../../model/sample.js';
import { maxNewerItems, type ValueReader } from './value-reader.js';

/** What a row says of its observer, and how it probes. */
export type RowHead = Pick<
  Row,
  'version' | 'httpIntervalMs' | 'httpTimeoutMs' | 'omittedNodes' | 'health' | 'refutation'
>;

/** The longest interval and timeout of an observer. */
export const maxMs = 1e10;
const maxCount = 1_000_000;
/** Of an observer's GETs. */
const maxPerSecond = 10_000;
const versionPattern = /^[0-9A-Za-z.+-]{1,32}$/;
const protocolPattern = /^[a-z0-9-]{1,16}$/;

/** The fields of the row's object, in the order in which they are kept. */
export const headFields = [
  'version',
  'httpIntervalMs',
  'httpTimeoutMs',
  'omittedNodes',
  'health',
  'refutation',
] as const;

export function encodeHead(
  row: RowHead,
  omittedNodes: number,
): Record<(typeof headFields)[number], unknown> {
  const { ready, starved, notSending } = row.health;
  const { refutation } = row;
  return {
    version: row.version,
    httpIntervalMs: Math.round(row.httpIntervalMs),
    httpTimeoutMs: Math.round(row.httpTimeoutMs),
    health: [ready ? 1 : 0, starved ? 1 : 0, ...notSending],
    omittedNodes,
    refutation: refutation && [refutation.afterMs, refutation.forMs, refutation.perSecond],
  };
}

/** @throws MalformedRow */
export function decodeHead(read: ValueReader): RowHead {
  const version = read.text(versionPattern);
  const [httpIntervalMs, httpTimeoutMs] = [read.whole(maxMs), read.whole(maxMs)];
  const omittedNodes = read.whole(maxCount);
  const health = decodeHealth(read);
  const refutation = read.skipAbsent() ? undefined : decodeRefutation(read);
  return {
    version,
    httpIntervalMs,
    httpTimeoutMs,
    omittedNodes,
    health,
    ...(refutation && { refutation }),
  };
}

export function isSameHead(before: RowHead, after: RowHead): boolean {
  return headFields.every((field) => {
    if (field === 'refutation') return areSame(before.refutation, after.refutation);
    if (field !== 'health') return before[field] === after[field];
    const [a, b] = [before.health, after.health];
    return (
      a.ready === b.ready && a.starved === b.starved && a.notSending.join() === b.notSending.join()
    );
  });
}

function areSame(before: RowRefutation | undefined, after: RowRefutation | undefined): boolean {
  return (
    before?.afterMs === after?.afterMs &&
    before?.forMs === after?.forMs &&
    before?.perSecond === after?.perSecond
  );
}

function decodeRefutation(read: ValueReader): RowRefutation {
  const items = read.list(3, maxNewerItems);
  const [afterMs, forMs, perSecond] = [
    read.whole(maxMs),
    read.whole(maxMs),
    read.whole(maxPerSecond),
  ];
  read.skip(items - 3);
  return { afterMs, forMs, perSecond };
}

/** Protocols that are not known here are left out. */
function decodeHealth(read: ValueReader): RowHealth {
  const items = read.list(2, 2 + maxNewerItems);
  const [ready, starved] = [read.bit(), read.bit()];
  const names = Array.from({ length: items - 2 }, () => read.text(protocolPattern));
  read.mustBeUnique(names);
  return { ready, starved, notSending: protocols.filter((name) => names.includes(name)) };
}
