import { expect, test } from 'vitest';
import { NodeChanges } from '../../../../agent/cluster/node-changes.js';
import type { Row } from '../../../../agent/model/row.js';
import { hostChangeEventSchema } from '../../../../api/schema/v1/events.js';
import { EventLog } from '../../../../agent/reports/event-log.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';
import { makeRow } from '../../../rows/make-row.js';
import { makeChange } from '../../../rows/make-host.js';

function world() {
  const clock = new VirtualClock();
  const events = new EventLog();
  const heard: string[] = [];
  const changes = new NodeChanges({
    localName: 'c/me',
    startedMs: clock.nowMs(),
    clock,
    events,
    onHostChange: (node) => heard.push(node),
  });
  /** Takes rows of a node, one a second, each of another version and with three changes that no row before told. */
  const takeRows = (node: string, count: number): void => {
    for (let number = 0; number < count; number++) {
      clock.runUntil(clock.nowMs() + 1000);
      changes.takeRow(rowOf(node, clock.nowMs()), 0);
    }
  };
  const eventsOf = (node: string) =>
    events
      .after(0, 10_000)
      .events.map(({ json }) => hostChangeEventSchema.parse(JSON.parse(json)))
      .filter((event) => event.node === node);
  const toldOf = (node: string): number =>
    eventsOf(node).filter(({ change }) => change !== 'left-out').length;
  return { changes, clock, heard, takeRows, eventsOf, toldOf };
}

function rowOf(node: string, ms: number): Row {
  const changes = ['eth0', 'eth1', 'eth2'].map((about) =>
    makeChange({ ageSeconds: 0, withinSeconds: 1, about, to: `${ms}` }),
  );
  return { ...makeRow(node, [], 3), version: `${ms}`, changes };
}

test('a peer that tells new changes all the time does not fill the log of events', () => {
  const { heard, takeRows, toldOf } = world();
  takeRows('c/liar', 600);
  // 16, and one a minute in ten minutes.
  expect(toldOf('c/liar')).toBe(25);
  expect(heard.length).toBeLessThanOrEqual(25);
  takeRows('c/honest', 1);
  expect(toldOf('c/honest')).toBe(3);
});

test('the log says once a minute of whom how many changes it lacks, the own host included', () => {
  const { changes, clock, takeRows, eventsOf, toldOf } = world();
  const sum = (node: string): number =>
    eventsOf(node)
      .filter(({ change }) => change === 'left-out')
      .reduce((all, { text }) => all + Number(/^[\d,]+/.exec(text)?.[0].replace(',', '')), 0);
  for (const node of ['c/liar', 'c/me']) {
    takeRows(node, 600);
    clock.runUntil(clock.nowMs() + 60_000);
    // Each row told three changes, and all but the first another version.
    expect(toldOf(node) + sum(node)).toBe(600 * 3 + 599);
    const said = eventsOf(node).filter(({ change }) => change === 'left-out');
    expect(said.length).toBeLessThanOrEqual(11);
    expect(said[0]?.text).toMatch(/^\d+ more changes left out: it told more than 16 at once/);
  }
  takeRows('c/gone', 10);
  changes.retain((node) => node !== 'c/gone');
  expect(eventsOf('c/gone').at(-1)).toMatchObject({
    change: 'left-out',
    text: `${10 * 3 + 9 - 16} more changes left out: it told more than 16 at once and one a minute`,
  });
  takeRows('c/late', 6);
  changes.stop();
  expect(eventsOf('c/late').at(-1)).toMatchObject({ change: 'left-out' });
  const { length } = eventsOf('c/late');
  clock.runUntil(clock.nowMs() + 120_000);
  expect(eventsOf('c/late')).toHaveLength(length);
});
