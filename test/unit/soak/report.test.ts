import { expect, test } from 'vitest';
import type { Sample } from '../../soak/figures.js';
import { memoryOf } from '../../soak/processes.js';
import { plotOf } from '../../soak/report/plot.js';
import { rowsOf, tableOf } from '../../soak/report/table.js';

const samples: Sample[] = [1, 2, 3].flatMap((pid) =>
  Array.from({ length: 101 }, (_, at) => ({
    ms: at * 36_000,
    host: `n${pid}`,
    pid,
    ageMs: at * 36_000,
    isCalm: true,
    findings: [],
    values: { private: 40 + at, series: 131 },
  })),
);

test('the table has the medians over time, the slope and what grows', () => {
  const lines = tableOf(rowsOf(samples, 0)).split('\n');
  const cells = lines.find((line) => line.startsWith('private memory'))?.split(/ {2,}/) ?? [];
  expect(cells.slice(0, 6)).toEqual(['private memory, MB', '45', '65', '90', '115', '135']);
  expect(cells[6]).toMatch(/^\+100(\.0)? ± 0\.00$/);
  expect(cells.slice(7)).toEqual(['6', 'GROWS: all agents']);
  const series = lines.find((line) => line.startsWith('series')) ?? '';
  expect(series).not.toContain('GROWS');
  expect(lines.find((line) => line.startsWith('heap'))).toContain('too few samples');
});

test('the plot is whole XML, whatever a fault is called', () => {
  const svg = plotOf(samples, [{ what: '<a & b>', fromMs: 1, toMs: 2 }]);
  expect(svg).toContain('<title>&lt;a &amp; b&gt;</title>');
  expect(svg.match(/<polyline/g)?.length).toBeGreaterThan(6);
  expect(svg).not.toMatch(/NaN|Infinity/);
  expect(plotOf([], [])).not.toMatch(/NaN|Infinity/);
});

test('memory is what the kernel rolls up', () => {
  const text =
    '55d0-7ffe ---p 0 00:00 0 [rollup]\nRss:  100000 kB\nPrivate_Clean:  1000 kB\nPrivate_Dirty:  2000 kB\n';
  expect(memoryOf(text)).toEqual({ resident: 102.4, private: 3.072 });
  expect(memoryOf('').resident).toBeNaN();
});
