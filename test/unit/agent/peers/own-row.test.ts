import { describe, expect, test } from 'vitest';
import type { Row } from '../../../../agent/model/row.js';
import { OwnRow } from '../../../../agent/peers/own-row.js';
import { runAtOnce, type Steps } from '../../../../agent/platform/time-slices.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';
import { wellRow } from '../exchange/lib/rows.js';

/** A row whose every step takes that much time of the clock. */
function createOwnRow(steps: number, stepMs: number) {
  const clock = new VirtualClock();
  let built = 0;
  const ownRow = new OwnRow({
    clock,
    empty: () => ({ ...wellRow('c/a'), version: 'empty' }),
    zoneOf: () => undefined,
    *build(): Steps<Row> {
      for (let step = 0; step < steps; step++) {
        clock.stall(stepMs);
        yield;
      }
      return { ...wellRow('c/a'), version: `${++built}` };
    },
  });
  return { clock, ownRow };
}

describe('the own row', () => {
  test('is built when it is asked for, if that takes no longer than a slice', () => {
    const { clock, ownRow } = createOwnRow(3, 0);
    expect(ownRow.prepared.row.version).toBe('empty');
    expect(ownRow.latest().row.version).toBe('1');
    clock.runUntil(500);
    expect(ownRow.latest(1000).row.version).toBe('1');
    clock.runUntil(1000);
    expect(ownRow.latest(1000).row.version).toBe('2');
  });

  test('is built in slices if that takes longer, and the last one serves meanwhile', () => {
    const { clock, ownRow } = createOwnRow(50, 1);
    const startMs = clock.nowMs();
    expect(ownRow.latest().row.version).toBe('empty');
    expect(clock.nowMs() - startMs).toBeLessThanOrEqual(2);
    expect(ownRow.latest().row.version).toBe('empty');
    clock.runUntil(1000);
    expect(ownRow.prepared).toMatchObject({ row: { version: '1' }, writtenMs: startMs });
  });

  test('that was begun later is not replaced by one that was begun earlier', () => {
    const { clock, ownRow } = createOwnRow(1, 0);
    const earlier = ownRow.prepare();
    earlier.next();
    clock.runUntil(10);
    runAtOnce(ownRow.prepare());
    runAtOnce(earlier);
    expect(ownRow.prepared).toMatchObject({ row: { version: '1' }, writtenMs: 10 });
  });

  test('is built no more after it was stopped', () => {
    const { clock, ownRow } = createOwnRow(50, 1);
    ownRow.latest();
    ownRow.stop();
    clock.runUntil(1000);
    expect(ownRow.prepared.row.version).toBe('empty');
  });
});
