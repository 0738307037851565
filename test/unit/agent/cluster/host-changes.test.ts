import { expect, test } from 'vitest';
import { HostChanges } from '../../../../agent/cluster/host-changes.js';
import type { RowChange } from '../../../../agent/model/row-host.js';
import { makeChange } from '../../../rows/make-host.js';

const startedMs = 1_000_000;
const wallOffsetMs = Date.parse('2026-01-31T14:00:00Z') - startedMs;

const mtu = (more: Partial<RowChange> = {}) => makeChange({ ageSeconds: 5, ...more });

/** What one agent tells of changes that it gets so many seconds after its start. */
function world() {
  const log = new HostChanges({ localName: 'c/me', startedMs });
  return {
    log,
    at: (seconds: number, node: string, changes: readonly RowChange[], bodyAgeMs = 0) =>
      log.take(node, changes, { bodyAgeMs, nowMs: startedMs + 1000 * seconds, wallOffsetMs }),
  };
}

test('a change of a host is one event, however often the host tells it', () => {
  const { at } = world();
  expect(at(20, 'c/n7', [mtu()], 1000)).toEqual([
    {
      type: 'change',
      at: '2026-01-31T14:00:20.000Z',
      node: 'c/n7',
      foundAt: '2026-01-31T14:00:14.000Z',
      withinSeconds: 10,
      change: 'interface-mtu',
      text: 'interface eth0 went from MTU 1500 to 1400',
      from: '1500',
      to: '1400',
    },
  ]);
  // Ages are rounded, and rows are older or younger.
  expect(at(30, 'c/n7', [mtu({ ageSeconds: 16 })])).toEqual([]);
  expect(at(40, 'c/n7', [mtu({ ageSeconds: 24 })], 2500)).toEqual([]);
});

test('the same change again is another event, and the oldest comes first', () => {
  const { at } = world();
  at(20, 'c/n7', [mtu()]);
  const back = mtu({ from: '1400', to: '1500', ageSeconds: 30 });
  const again = mtu({ ageSeconds: 10 });
  const events = at(80, 'c/n7', [again, back, mtu({ ageSeconds: 65 })]);
  expect(events.map((event) => 'to' in event && event.to)).toEqual(['1500', '1400']);
});

test('what others found before this agent started is no news, its own start is', () => {
  const { at } = world();
  const restarted = mtu({ change: 'agent-restarted', about: '', from: '', to: '0.1.0' });
  expect(at(2, 'c/n7', [restarted])).toEqual([]);
  expect(at(2, 'c/me', [restarted])).toMatchObject([{ node: 'c/me', change: 'agent-restarted' }]);
  expect(at(2, 'c/me', [restarted, mtu({ change: 'rebooted', ageSeconds: 900 })])).toEqual([]);
});

test('what a node told is no news when it leaves the list and comes back', () => {
  const { at, log } = world();
  at(20, 'c/n7', [mtu()]);
  log.retain(() => false, startedMs + 21_000);
  expect(at(22, 'c/n7', [mtu({ ageSeconds: 7 })])).toEqual([]);
});

test('a node that left the list is forgotten once its host would not tell the same again', () => {
  const { at, log } = world();
  at(20, 'c/n7', [mtu()]);
  log.retain(() => false, startedMs + 3_616_000);
  expect(at(3_617, 'c/n7', [mtu({ ageSeconds: 3602 })])).toHaveLength(1);
});
