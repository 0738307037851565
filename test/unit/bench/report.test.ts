import { describe, expect, test } from 'vitest';
import { costRow } from '../../bench/report/cost-row.js';
import { count, duration, micros, percent, short } from '../../bench/report/numbers.js';
import { Report, targetResult } from '../../bench/report/report.js';
import { median } from '../../bench/statistics.js';
import { tableOf } from '../../bench/report/table.js';

describe('verdictOf', () => {
  test('is ok only where every figure is', () => {
    expect(targetResult(true, true)).toBe('ok');
    expect(targetResult(true, false)).toBe('missed');
  });

  test('takes what could not be measured for missed', () => {
    expect(targetResult(median([]) <= 5)).toBe('missed');
  });
});

test('numbers have as many digits as mean something, and a unit', () => {
  expect([0.123, 12.34, 123.4, NaN].map(short)).toEqual(['0.12', '12.3', '123', '?']);
  expect([micros(116_094_000), micros(3290), duration(999), duration(12_345)]).toEqual([
    '116 ms',
    '3.29 µs',
    '999 ms',
    '12.3 s',
  ]);
  expect([percent(0.104), count(9891.4)]).toEqual(['10.4 %', '9,891']);
});

test('the table has its columns in line and no trailing blanks', () => {
  const report = new Report();
  report.row({ promise: 'a long promise', target: '<= 1', figure: '2', result: 'missed' });
  report.row({ promise: 'short', figure: '3', beside: 'x' });
  const lines = tableOf(report.rows).replace(/\n$/, '').split('\n');
  expect(lines).toEqual([
    '         promise          target   figure   beside it, in the same run',
    'missed   a long promise   <= 1     2        -',
    '         short            -        3        x',
  ]);
});

test('a report finds its figures again by measurement', () => {
  const report = new Report();
  report.add('cost', { nodes: 10 });
  report.add('rtt', { nodes: 20 });
  expect(report.of('cost')).toEqual([{ measurement: 'cost', nodes: 10 }]);
});

describe('costRow', () => {
  const figures = {
    cpuShare: 0.012,
    nodeStartMs: 120,
    wakeUpsPerSecond: 31,
    privateBytes: 33e6,
  };

  test('holds the processor time against its target as the faster machine would take it', () => {
    const target = { cpuShare: 0.006, wakeUpsPerSecond: 40, privateBytes: 35e6 };
    const row = costRow('agent', figures, target);
    expect(row.target).toBe('<= 0.60 % of a core, <= 40 wake-ups/s, <= 35.0 MB private');
    expect(row.figure).toBe('0.60 %, 31.0 wake-ups/s, 33.0 MB private');
    expect(row.result).toBe('ok');
    expect(costRow('agent', { ...figures, nodeStartMs: 100 }, target).result).toBe('missed');
  });

  test('judges only what has a target', () => {
    expect(costRow('agent', figures, { privateBytes: 30e6 }).result).toBe('missed');
    expect(costRow('agent', figures, {})).toMatchObject({ target: '', result: '' });
  });
});
