import { expect, test } from 'vitest';
import { NodeChanges } from '../../../../agent/cluster/node-changes.js';
import type { Row } from '../../../../agent/model/row.js';
import { EventLog } from '../../../../agent/reports/event-log.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';
import { makeRow } from '../../../rows/make-row.js';

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
  const toldOf = (node: string): number =>
    events
      .after(0, 10_000)
      .events.filter(({ json }) => (JSON.parse(json) as { node: string }).node === node).length;
  return { clock, heard, takeRows, toldOf };
}

function rowOf(node: string, ms: number): Row {
  const changes = ['eth0', 'eth1', 'eth2'].map((about) => ({
    change: 'interface-mtu' as const,
    ageSeconds: 0,
    withinSeconds: 1,
    about,
    from: '1500',
    to: `${ms}`,
  }));
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
