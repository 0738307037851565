import { expect, test } from 'vitest';
import type { RowPath } from '../../../../agent/model/row.js';
import type { RowSign } from '../../../../agent/model/row-host.js';
import { lossyPaths } from '../../../../agent/path-tests/flows/lossy-paths.js';
import { freshRow, makeRow } from '../../../rows/make-row.js';

const lossyTo = (node: string): RowPath => ({
  ...{ node, plane: 'host', protocol: 'http', state: 'lossy' },
  ageSeconds: 5,
  failure: 'timeout',
});
const signOf = (sign: RowSign['sign']): RowSign => ({
  ...{ sign, plane: 'host', ageSeconds: 5, value: 10, limit: 10, about: '' },
});
const paths = [lossyTo('c/n2'), lossyTo('c/n3')];
const tested = (own: readonly RowSign[], ofN2: readonly RowSign[]) => {
  const other = { ...freshRow(makeRow('c/n2', [], 3, { signs: ofN2 }), 0), tellsOfHost: true };
  const row = makeRow('c/n1', paths, 3, { signs: own });
  return lossyPaths(row, [], () => [other]).map(({ node }) => node);
};

test('flows are tested on the paths that lose probes by HTTP, whatever else a host shows', () => {
  expect(tested([], [])).toEqual(['c/n2', 'c/n3']);
  const others = [signOf('cpu-pressure'), { ...signOf('conntrack-full'), value: 9 }];
  expect(tested(others, others)).toEqual(['c/n2', 'c/n3']);
});

test.each(['conntrack-full', 'conntrack-drops'] as const)(
  'not where one end has no room for further connections (%s): only those that are open pass',
  (sign) => {
    expect(tested([], [signOf(sign)])).toEqual(['c/n3']);
    expect(tested([signOf(sign)], [])).toEqual([]);
  },
);
