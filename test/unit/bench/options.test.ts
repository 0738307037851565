import { describe, expect, test } from 'vitest';
import { measurementNames } from '../../bench/measurements.js';
import { help, readOptions } from '../../bench/options.js';
import { planStages, titleOf } from '../../bench/plan.js';

describe('readOptions', () => {
  test('means everything where nothing is said', () => {
    const { only, sizes, quick } = readOptions([]);
    expect([...only]).toEqual(measurementNames);
    expect([...sizes]).toEqual([10, 100, 1000, 5000]);
    expect(quick).toBe(false);
  });

  test('takes lists and repetitions alike', () => {
    const { only, sizes } = readOptions(['--only', 'rtt,cli', '--only=cost', '--sizes', '10,1000']);
    expect(only).toEqual(new Set(['rtt', 'cli', 'cost']));
    expect(sizes).toEqual(new Set([10, 1000]));
  });

  test.each([
    [['--only', 'rtt,rrt'], '--only: expected one of start, cost,'],
    [['--only', ''], 'got ""'],
    [['--sizes', '10,50'], '--sizes: expected some of 10, 100, 1000, 5000, got "50"'],
    [['--sizes', 'all'], 'got "all"'],
    [['--fast'], "Unknown option '--fast'"],
    [['rtt'], "Unexpected argument 'rtt'"],
  ])('refuses %o', (argv, message) => {
    expect(() => readOptions(argv)).toThrow(message);
  });

  test('names every measurement in the help', () => {
    expect(measurementNames.filter((name) => !help.includes(`  ${name} `))).toEqual([]);
  });
});

describe('planStages', () => {
  test('leaves no stage in which nothing is measured', () => {
    const stages = planStages(readOptions(['--only', 'status']));
    expect(stages.map(titleOf)).toEqual(['5,000 nodes']);
    expect(stages[0]?.measurements).toEqual(['status']);
  });

  test('keeps to the sizes asked for', () => {
    const stages = planStages(readOptions(['--sizes', '100']));
    expect(stages.map(titleOf)).toEqual([
      '100 nodes',
      '100 nodes, 30 % dead',
      '100 nodes, ICMP filtered',
    ]);
  });

  test('has less to do when it is to be quick, and every size still', () => {
    const [full, quick] = [planStages(readOptions([])), planStages(readOptions(['--quick']))];
    expect(quick.length).toBeLessThan(full.length);
    expect(new Set(quick.map(({ nodes }) => nodes))).toEqual(new Set([10, 100, 1000, 5000]));
  });
});
