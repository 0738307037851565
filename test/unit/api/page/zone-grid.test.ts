import { expect, test } from 'vitest';
import { knownShares } from '../../../../api/page/model/zone-grid.js';
import type { ZoneCell } from '../../../../api/schema/v1/matrix.js';
import { makeZoneCell } from '../../../rows/make-matrix.js';

const cell = (counts: Partial<ZoneCell>) => makeZoneCell({ pairs: 100, ...counts });

test.each([
  ['all answer', {}, { known: 1, affected: 0, reachable: 1 }],
  [
    'all that are told fail',
    { unknown: 90, failing: 10 },
    { known: 0.1, affected: 1, reachable: 0 },
  ],
  [
    'a half of them fails',
    { unknown: 80, failing: 10 },
    { known: 0.2, affected: 0.5, reachable: 0.5 },
  ],
  ['lossy pairs answer', { lossy: 50 }, { known: 1, affected: 0.5, reachable: 1 }],
  [
    'lossy pairs beside failing ones',
    { failing: 25, lossy: 75 },
    { known: 1, affected: 0.25, reachable: 0.75 },
  ],
  ['nothing is told', { unknown: 100 }, { known: 0, affected: 0, reachable: 0 }],
  ['there are no pairs', { pairs: 0 }, { known: 0, affected: 0, reachable: 0 }],
])('the areas of a cell where %s', (_, counts, areas) => {
  expect(knownShares(cell(counts))).toEqual(areas);
});
