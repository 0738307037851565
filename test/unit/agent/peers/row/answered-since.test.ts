import { describe, expect, test } from 'vitest';
import type { FailureKind } from '../../../../../agent/model/failure.js';
import { initialState } from '../../../../../agent/model/path-state.js';
import type { Plane } from '../../../../../agent/model/path.js';
import type { RowPath } from '../../../../../agent/model/row.js';
import type { Protocol } from '../../../../../agent/model/sample.js';
import { PathsBuilder } from '../../../../../agent/peers/row/paths.js';
import { tellsTheSame } from '../../../../../agent/peers/row/row-text.js';
import { readPath, travelled, wellRow } from '../../exchange/lib/rows.js';

const nowMs = 100_000;
const [hostIcmp, hostHttp, endpointIcmp, endpointHttp] = [1, 2, 4, 8] as const;

type Seen = readonly [node: string, plane: Plane, protocol: Protocol, Known];
type Known = { readonly answeredMs: number } | { readonly failedMs: number; kind?: FailureKind };

/** What a row tells of these paths: when each answered last, or since when it fails. */
function named(...seen: readonly Seen[]): readonly RowPath[] {
  const head = { httpIntervalMs: 5000, httpTimeoutMs: 1000 };
  const paths = new PathsBuilder({ nowMs, head, lastGetMs: () => undefined });
  for (const [node, plane, protocol, known] of seen) {
    const state =
      'answeredMs' in known
        ? { state: 'reachable' as const, answeredSentMs: known.answeredMs }
        : {
            state: 'unreachable' as const,
            sinceMs: known.failedMs + 1400,
            failedSentMs: known.failedMs,
            failureKind: known.kind ?? ('timeout' as const),
          };
    const well = { isLossy: false, isSlow: false, lost: 0, sinceMs: undefined };
    const path = { node, plane, ip: '198.51.100.1' };
    paths.add(path, protocol, { ...initialState(0, 0), ...state }, well);
  }
  return paths.named().paths;
}

const maskOf = (path: RowPath | undefined) => path?.answeredSince;

describe('which paths of a node answered since one of them fails', () => {
  test('are told with that path, whether they come before it or after it', () => {
    const [path] = named(
      ['c/n', 'host', 'icmp', { answeredMs: 90_200 }],
      ['c/n', 'host', 'http', { failedMs: 90_000 }],
      ['c/n', 'endpoint', 'icmp', { answeredMs: 95_000 }],
      ['c/n', 'endpoint', 'http', { answeredMs: 89_000 }],
    );
    expect(maskOf(path)).toBe(hostIcmp | endpointIcmp);
  });

  test('are told for each failing path of its own', () => {
    const paths = named(
      ['c/n', 'host', 'icmp', { answeredMs: 91_000 }],
      ['c/n', 'host', 'http', { failedMs: 90_000 }],
      ['c/n', 'endpoint', 'icmp', { failedMs: 92_000 }],
      ['c/n', 'endpoint', 'http', { answeredMs: 93_000 }],
    );
    expect(paths.map(maskOf)).toEqual([hostIcmp | endpointHttp, endpointHttp]);
  });

  test('do not say so by a probe from about the time at which the node may have died', () => {
    const since = (answeredMs: number, kind?: FailureKind) =>
      named(
        ['c/n', 'host', 'icmp', { answeredMs }],
        ['c/n', 'host', 'http', { failedMs: 90_000, ...(kind && { kind }) }],
      ).map(maskOf);
    expect(since(90_050)).toEqual([undefined]);
    expect(since(90_100)).toEqual([hostIcmp]);
    // Who refuses is alive.
    expect(since(90_000, 'refused')).toEqual([hostIcmp]);
  });

  test('are those of that node alone', () => {
    const paths = named(
      ['c/m', 'host', 'icmp', { answeredMs: 95_000 }],
      ['c/n', 'host', 'http', { failedMs: 90_000 }],
      ['c/o', 'host', 'icmp', { answeredMs: 95_000 }],
    );
    expect(paths.map(maskOf)).toEqual([undefined]);
  });
});

const failing: RowPath = {
  node: 'c/n',
  plane: 'host',
  protocol: 'http',
  state: 'unreachable',
  ageSeconds: 7,
  failure: 'timeout',
};

describe('what a row says of them', () => {
  test.each([
    { answeredSince: hostIcmp | endpointHttp },
    { answeredSince: hostIcmp, unheardSeconds: 70 },
    { unheardSeconds: 0 },
  ])('is the same after it has travelled: %o', (named) => {
    const row = { ...wellRow(), paths: [{ ...failing, ...named }] };
    expect(travelled(row)).toEqual(row);
  });

  test('is no change of the row: what worked when the path failed is told with the failure', () => {
    const rowOf = (path: RowPath) => ({ ...wellRow(), paths: [path] });
    const later = rowOf({ ...failing, answeredSince: hostIcmp, unheardSeconds: 3 });
    expect(tellsTheSame(rowOf(failing), later)).toBe(true);
  });

  test.each([
    ['channels that there are not', [1, 0, 7, 0, 0xf0], {}],
    ['the path itself', [1, 0, 7, 0, hostHttp], {}],
    ['a path that does not fail', [1, 1, 7, -1, hostIcmp], { state: 'lossy', lost: hostIcmp }],
    [
      'more than that',
      [1, 0, 7, 0, 1e9 + hostIcmp, 5, 9],
      { answeredSince: hostIcmp, unheardSeconds: 5 },
    ],
  ])('is left out of %s', (_, entry, more) => {
    const { failure, ...rest } = failing;
    expect(readPath(entry)).toEqual([{ ...rest, ...(entry[3] === 0 && { failure }), ...more }]);
  });

  test.each([
    ['a part', 1.5],
    ['less than nothing', -1],
    ['a text', '1'],
    ['far too much', 1e300],
  ])('is refused with the row where it is %s', (_, mask) => {
    expect(readPath([1, 0, 7, 0, mask])).toBeUndefined();
    expect(readPath([1, 0, 7, 0, 0, mask])).toBeUndefined();
  });
});
