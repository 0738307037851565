import { describe, expect, test } from 'vitest';
import {
  defaultDelays,
  RowLookups,
  type Found,
  type ListBy,
} from '../../../../../agent/discovery/kubernetes/row-lookups.js';

/** Objects that are there, and the queries that were asked. */
function setup(present: readonly string[]) {
  const there = new Set(present);
  const asked: string[] = [];
  const taken: string[] = [];
  const lookups = new RowLookups({
    delays: { soonMs: () => 10, laterMs: () => 1000 },
    onFound: (object) => taken.push(`found ${String(object)}`) > 0,
    onGone: (name) => taken.push(`gone ${name}`) > 0,
  });
  const found = (name: string): Found[] => (there.has(name) ? [{ name, object: name }] : []);
  const list: ListBy = ({ labelSelector, fieldSelector }) => {
    asked.push(labelSelector ?? fieldSelector ?? '');
    const names = /\((.*)\)/.exec(labelSelector ?? '')?.[1]?.split(',');
    return Promise.resolve(names?.flatMap(found) ?? found(fieldSelector?.split('=')[1] ?? ''));
  };
  const add = (lookUp: 'no' | 'soon' | 'later', ...names: string[]) => {
    for (const name of names) lookups.add({ name, lookUp }, 100, 0);
  };
  return { lookups, list, asked, taken, add };
}

describe('objects that are to be looked at', () => {
  test('wait for others, the urgent ones shorter', () => {
    const { lookups, add } = setup([]);
    expect(lookups.dueMs).toBe(Infinity);
    add('no', 'a');
    expect(lookups.dueMs).toBe(Infinity);
    add('later', 'a');
    expect(lookups.dueMs).toBe(1000);
    add('soon', 'b');
    add('later', 'c');
    expect(lookups.dueMs).toBe(10);
  });

  test('are asked for together, and once', async () => {
    const { lookups, list, asked, taken, add } = setup(['a', 'b']);
    add('soon', 'a', 'b', 'a');
    expect(await lookups.run(list)).toBe(true);
    expect(asked).toEqual(['kubernetes.io/hostname in (a,b)']);
    expect(taken).toEqual(['found a', 'found b']);
    expect(lookups.dueMs).toBe(Infinity);
    expect(await lookups.run(list)).toBe(false);
    expect(asked).toHaveLength(1);
  });

  test('are asked for by name where their label is another, or where they are gone', async () => {
    const { lookups, list, asked, taken, add } = setup(['a', 'b', `c.${'x'.repeat(70)}`]);
    const long = `c.${'x'.repeat(70)}`;
    add('soon', 'a', 'b', 'gone', long);
    await lookups.run(list);
    expect(asked).toEqual([
      'kubernetes.io/hostname in (a,b,gone)',
      'metadata.name=gone',
      `metadata.name=${long}`,
    ]);
    expect(taken).toEqual(['found a', 'found b', 'gone gone', `found ${long}`]);
  });

  test('are asked for in parts where they are many', async () => {
    const names = Array.from({ length: 120 }, (_, n) => `n${n}`);
    const { lookups, list, asked, taken, add } = setup(names);
    add('later', ...names);
    await lookups.run(list);
    expect(asked).toHaveLength(3);
    expect(taken).toHaveLength(120);
  });

  test('that are deleted meanwhile stay deleted', async () => {
    const { lookups, list, taken, add } = setup(['a', 'b']);
    add('soon', 'a', 'b');
    await lookups.run((query) => {
      lookups.remove('a');
      return list(query);
    });
    expect(taken).toEqual(['found b']);
  });

  test('wait again where the server fails, and at once', async () => {
    const { lookups, list, taken, add } = setup(['a', 'b']);
    add('soon', 'a', 'b');
    const failing = () => Promise.reject(new Error('no'));
    await expect(lookups.run(failing)).rejects.toThrow('no');
    expect(lookups.dueMs).toBe(0);
    await lookups.run(list);
    expect(taken).toEqual(['found a', 'found b']);
  });

  test('are nothing any more once everything was listed', async () => {
    const { lookups, list, asked, add } = setup(['a']);
    add('soon', 'a');
    lookups.clear();
    await lookups.run(list);
    expect(asked).toEqual([]);
  });

  test('of 5,000 agents are looked at within a minute of their change', () => {
    for (let round = 0; round < 100; round++) {
      expect(defaultDelays.soonMs(5000)).toBeLessThanOrEqual(25_000);
      expect(defaultDelays.laterMs(5000)).toBeLessThanOrEqual(35_000);
    }
  });
});
