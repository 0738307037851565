import { expect, test } from 'vitest';
import { V1Bodies } from '../../../../agent/cluster/v1-bodies.js';
import type { NodeFilter } from '../../../../api/routes/v1/source.js';
import type { NodeEntry } from '../../../../api/schema/v1/nodes.js';
import type { ObservedRow } from '../../../../agent/model/row.js';
import { fresh, nodeOf, rowOf, stateOf } from '../reports/v1/cluster.js';

const nothing = { state: undefined, zone: undefined, name: undefined, shows: undefined };
const page = { ...nothing, afterName: undefined, limit: 2 };

const nodes = [nodeOf(1), nodeOf(2), nodeOf(3)];

/** Bodies of a cluster whose rows are counted as they are read. */
function countingBodies() {
  const read: string[] = [];
  function* rows(): Generator<ObservedRow> {
    for (const { name } of nodes) {
      read.push(name);
      yield fresh(rowOf(name));
    }
  }
  const state = stateOf(nodes);
  const cluster = { events: {} as never, state: () => ({ ...state, rows: rows() }) };
  const store = { prepareSnapshot: () => Promise.resolve(), hopsOf: () => undefined };
  return { read, bodies: new V1Bodies({ cluster, store } as never) };
}

test('the next page of nodes has the counts of the page before, and the first one counts anew', async () => {
  const { read, bodies } = countingBodies();
  const pageOf = async (filter: NodeFilter) => (await bodies.nodes(filter)) as readonly NodeEntry[];
  const pages = async () => [
    ...(await pageOf(page)),
    ...(await pageOf({ ...page, afterName: 'c/n2' })),
  ];
  expect((await pages()).map(({ name, seenBy }) => [name, seenBy.of])).toEqual([
    ['c/n1', 2],
    ['c/n2', 2],
    ['c/n3', 2],
  ]);
  expect(read).toHaveLength(3);
  await pages();
  expect(read).toHaveLength(6);
});

test('nodes of an unknown zone are no empty page, unless the zone lost its last node between two', async () => {
  const { bodies } = countingBodies();
  const unknown = { zone: 'z', nearest: undefined };
  expect(await bodies.nodes({ ...page, zone: 'z' })).toEqual(unknown);
  expect(await bodies.nodes({ ...page, zone: 'z', afterName: 'c/n2' })).toEqual([]);
  expect(await bodies.nodes({ ...page, zone: '' })).toHaveLength(2);
});

test('the matrix of zones reads what a row says once, for all channels', async () => {
  let times = 0;
  const row = rowOf('c/n1');
  const counting = Object.defineProperty({ ...row }, 'paths', {
    get: () => (times++, row.paths),
    enumerable: true,
  });
  const cluster = { state: () => stateOf(nodes, { rows: [fresh(counting)] }) };
  const store = { prepareSnapshot: () => Promise.resolve() };
  const bodies = new V1Bodies({ cluster, store } as never);
  const query = { by: 'zone', plane: 'worst', protocol: 'worst' } as const;
  expect(await bodies.matrix(query)).toMatchObject({ zones: [''] });
  expect(times).toBe(1);
});
