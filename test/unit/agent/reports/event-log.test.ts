import { describe, expect, test } from 'vitest';
import { EventLog } from '../../../../agent/reports/event-log.js';
import { pathChange } from '../../../doubles/v1-source.js';

function logOf(count: number, options: ConstructorParameters<typeof EventLog>[0] = {}): EventLog {
  const log = new EventLog(options);
  for (let index = 1; index <= count; index++) log.add(pathChange(`c/n${index}`));
  return log;
}

const idsAfter = (log: EventLog, id: number, limit = 100) => {
  const { events, hasGap } = log.after(id, limit);
  return { ids: events.map((event) => event.id), hasGap };
};

describe('EventLog', () => {
  test('gives the events after an id, at most as many as asked for', () => {
    const log = logOf(5);
    expect(log.lastId).toBe(5);
    expect(idsAfter(log, 3)).toEqual({ ids: [4, 5], hasGap: false });
    expect(idsAfter(log, 0, 2)).toEqual({ ids: [1, 2], hasGap: false });
    expect(idsAfter(log, 5)).toEqual({ ids: [], hasGap: false });
  });

  test('keeps as many events as it has room for, and says where some are missing', () => {
    const log = logOf(10, { capacity: 4 });
    expect(idsAfter(log, 6)).toEqual({ ids: [7, 8, 9, 10], hasGap: false });
    expect(idsAfter(log, 5)).toEqual({ ids: [7, 8, 9, 10], hasGap: true });
    expect(idsAfter(log, 0)).toEqual({ ids: [7, 8, 9, 10], hasGap: true });
  });

  test('says that there is a gap after an id of another run', () => {
    expect(idsAfter(logOf(2), 90)).toEqual({ ids: [1, 2], hasGap: true });
    const later = logOf(2, { firstId: 1000 });
    expect(idsAfter(later, 90)).toEqual({ ids: [1000, 1001], hasGap: true });
    expect(idsAfter(later, 0)).toEqual({ ids: [1000, 1001], hasGap: false });
  });

  test('writes each event as one line of JSON with its id', () => {
    const log = logOf(0);
    log.add({ ...pathChange('c/n1'), failure: 'two\nlines' });
    const [event] = log.after(0, 1).events;
    expect(event?.json).not.toContain('\n');
    expect(JSON.parse(event?.json ?? '')).toMatchObject({ id: 1, type: 'path', node: 'c/n1' });
  });

  test('calls back for each event and at the end until that is stopped', () => {
    const log = new EventLog();
    let calls = 0;
    const unsubscribe = log.subscribe(() => calls++);
    log.add(pathChange('c/n1'));
    log.end();
    unsubscribe();
    log.add(pathChange('c/n2'));
    expect([calls, log.hasEnded]).toEqual([2, true]);
  });
});
