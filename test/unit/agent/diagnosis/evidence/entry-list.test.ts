import { expect, test } from 'vitest';
import { EntryList } from '../../../../../agent/diagnosis/evidence/entry-list.js';
import type { RowPath } from '../../../../../agent/model/row.js';

const path: RowPath = {
  node: 'c1/n2',
  plane: 'host',
  protocol: 'icmp',
  state: 'unreachable',
  ageSeconds: 40,
  failure: 'timeout',
};
const large = { node: 'c1/n2', plane: 'host', ageSeconds: 4 } as const;

/** Adds so many entries, with all that an entry can have. */
function fill(list: EntryList, entries: number): void {
  for (let entry = 0; entry < entries; entry++) {
    list.add(1, 2);
    list.note(entry, 0, { ...path, answeredSince: 2, unheardSeconds: 9 }, 3);
    list.note(
      entry,
      1,
      { ...path, state: 'lossy', lost: 5, flows: { tried: 4, failing: 1, sometimes: 0 } },
      3,
    );
    list.note(entry, 2, { ...path, state: 'slow' }, 3);
    list.note(entry, 3, { ...path, state: 'unknown' }, 3);
    list.noteLarge('mtu', entry, 1, large, 3);
    list.noteLarge('passed', entry, 3, large, 3);
  }
}

test('a list that was given back has nothing left of the run before', () => {
  const owner = {};
  const list = EntryList.take(owner);
  fill(list, 200);
  list.giveBack(owner);
  const next = EntryList.take(owner);
  expect(next).toBe(list);
  expect(next.hasUnknown).toBe(false);
  expect(next.flows.size).toBe(0);
  for (let entry = 0; entry < 200; entry++) next.add(0, 0);
  const fresh = new EntryList();
  for (let entry = 0; entry < 200; entry++) fresh.add(0, 0);
  expect(next).toEqual(fresh);
});

test('a list is one run at a time, and of its owner', () => {
  const [owner, other] = [{}, {}];
  const list = EntryList.take(owner);
  fill(list, 200);
  list.giveBack(owner);
  expect(EntryList.take(other)).not.toBe(list);
  expect(EntryList.take(owner)).toBe(list);
  expect(EntryList.take(owner)).not.toBe(list);
});

test('a list that is larger than it need be is let go', () => {
  const owner = {};
  const list = EntryList.take(owner);
  fill(list, 2000);
  list.giveBack(owner);
  const next = EntryList.take(owner);
  expect(next).toBe(list);
  fill(next, 20);
  next.giveBack(owner);
  expect(EntryList.take(owner)).not.toBe(list);
});
