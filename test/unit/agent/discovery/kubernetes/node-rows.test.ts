import { describe, expect, test } from 'vitest';
import { createNodeProjection } from '../../../../../agent/discovery/kubernetes/node-projection.js';
import { NodeRows } from '../../../../../agent/discovery/kubernetes/node-rows.js';
import { nodeObject, type NodeOptions } from '../../../../doubles/api-server/objects.js';
import { asCutTable, asTable } from '../../../../doubles/api-server/table.js';

const epoch = Date.parse('2026-01-31T14:00:00Z');
const minuteMs = 60_000;

/** Rows of one node, at times that a test sets. */
function rowsOf(options: NodeOptions = {}) {
  const clock = { atMs: 0, nowMs: () => 7_000_000 + clock.atMs, wallMs: () => epoch + clock.atMs };
  const rows = new NodeRows(clock);
  const project = createNodeProjection();
  const first = { internal: ['198.51.100.1'], reportedAt: new Date(epoch), ...options };
  let known = project(nodeObject('a', first));
  rows.learn(nodeObject('a', first));
  let isFirst = true;
  return {
    rows,
    /** What the row of the node, with these changes, calls for after so many milliseconds. */
    judge: (atMs: number, change: NodeOptions = {}) => {
      clock.atMs = atMs;
      const verdict = rows.judge(
        asTable(nodeObject('a', { ...first, ...change }), isFirst),
        () => known,
      );
      isFirst = false;
      return verdict?.lookUp;
    },
    /** Looks at the node. */
    lookUp: (change: NodeOptions): void => {
      const object = nodeObject('a', { ...first, ...change });
      rows.learn(object);
      known = project(object);
    },
  };
}

describe('rows of nodes', () => {
  test('call for no look at what kubelets report every five minutes', () => {
    const { judge } = rowsOf();
    expect(judge(5 * minuteMs)).toBe('no');
    // Up to 10 s later each time: a kubelet looks every 10 s whether it is due.
    expect(judge(10 * minuteMs + 8000)).toBe('no');
    expect(judge(15 * minuteMs + 16_000)).toBe('no');
  });

  test('call for a look soon where they are not as they were', () => {
    for (const change of [
      { isReady: false },
      { isCordoned: true },
      { internal: ['198.51.100.2'] },
      { internal: [] },
    ]) {
      const { judge, lookUp } = rowsOf();
      expect(judge(5 * minuteMs, change)).toBe('soon');
      lookUp({ ...change, reportedAt: new Date(epoch + 5 * minuteMs) });
      expect(judge(10 * minuteMs, change)).toBe('no');
      expect(judge(15 * minuteMs)).toBe('soon');
    }
  });

  test('call for a look later where a node changes at another time', () => {
    const { judge, lookUp } = rowsOf();
    expect(judge(2 * minuteMs)).toBe('later');
    lookUp({ taints: ['karpenter.sh/disrupted'] });
    // Its kubelet keeps its time.
    expect(judge(5 * minuteMs)).toBe('no');
    // What comes with a report comes beside it.
    expect(judge(5 * minuteMs + 1000)).toBe('later');
    expect(judge(10 * minuteMs)).toBe('no');
  });

  test('follow a kubelet that changes its time', () => {
    const { judge, lookUp } = rowsOf();
    expect(judge(3 * minuteMs)).toBe('later');
    lookUp({ reportedAt: new Date(epoch + 3 * minuteMs) });
    expect(judge(8 * minuteMs)).toBe('no');
  });

  test('call for a look at each change of a node that nobody reports', () => {
    const { judge } = rowsOf({ reportedAt: undefined as unknown as Date });
    expect([judge(1), judge(5 * minuteMs)]).toEqual(['later', 'later']);
  });

  test('of a node that is not known call for a look, and forget one that went', () => {
    const { rows, judge } = rowsOf();
    expect(rows.judge(asTable(nodeObject('b'), true), () => undefined)).toEqual({
      name: 'b',
      lookUp: 'soon',
    });
    rows.forget('a');
    expect(judge(5 * minuteMs)).toBe('later');
  });

  test('are read by the names of their columns, wherever they are', () => {
    const rows = new NodeRows();
    const columnDefinitions = ['Age', 'Internal-IP', 'Name', 'Status'].map((name) => ({ name }));
    const known = createNodeProjection()(nodeObject('a', { internal: ['198.51.100.1'] }));
    const judge = (cells: unknown[], more = {}) =>
      rows.judge({ columnDefinitions, rows: [{ cells }], ...more }, () => known)?.lookUp;
    expect(judge(['1d', '198.51.100.1', 'a', 'Ready'])).toBe('later');
    expect(judge(['2d', '198.51.100.1', 'a', 'Ready'])).toBe('later');
    expect(judge(['2d', '198.51.100.1', 'a', 'Ready,SchedulingDisabled'])).toBe('soon');
    expect(judge(['3d', '198.51.100.1', 'a', 'Ready,SchedulingDisabled'])).toBe('later');
  });

  test('of fewer cells than there are columns are refused, also where the columns came before', () => {
    const rows = new NodeRows();
    const known = () => undefined;
    expect(rows.judge(asTable(nodeObject('a'), true), known)).toEqual({
      name: 'a',
      lookUp: 'soon',
    });
    expect(rows.judge(asCutTable(nodeObject('a'), false), known)).toBeUndefined();
    const [row] = asTable(nodeObject('a'), false).rows;
    expect(rows.judge({ rows: [{ cells: row?.cells.slice(0, -1) }] }, known)).toBeUndefined();
  });

  test.each([
    [undefined],
    [{}],
    [{ rows: null }],
    [{ rows: [] }],
    [{ rows: [{ cells: 'a' }] }],
    [{ rows: [{ cells: [7] }] }],
    [{ rows: [{ cells: ['\u001b[31m'] }] }],
    [{ rows: [{ cells: ['a'] }, { cells: ['b'] }] }],
    [{ columnDefinitions: [{ name: 7 }, null], rows: [{ cells: ['a'] }] }],
    [{ rows: [{ cells: ['a', 'Ready', '<none>', '1d', 'v1.34.4'] }] }],
    [{ columnDefinitions: [{ name: 'Name' }, { name: 'Age' }], rows: [{ cells: ['a'] }] }],
  ])('that are none are refused: %j', (table) => {
    expect(new NodeRows().judge(table, () => undefined)).toBeUndefined();
  });
});
