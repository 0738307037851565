import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createSourceReporter } from '../../../../agent/discovery/source-reporter.js';
import { Problems } from '../../../../agent/platform/problems.js';

test('a waiting node source is among the problems and, at a sane rate, in the log', () => {
  const problems = new Problems();
  const logged: string[] = [];
  let now = 0;
  const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
  const report = createSourceReporter(problems, logger, { now: () => now });
  const known = { source: 'x', waitsFor: 'nodes of x', listAt: undefined };
  const waiting = { ...known, since: 0, lastError: undefined };
  report(waiting);
  expect(problems.list()).toEqual([
    'waiting for nodes of x since 1970-01-01T00:00:00.000Z: there is no node list yet',
  ]);
  report({ ...waiting, since: undefined });
  expect(problems.list()).toEqual([]);
  expect(logged).toEqual([]);
  for (now = 0; now < 120_000; now += 1000) report({ ...waiting, lastError: 'refused' });
  expect(logged).toHaveLength(2);
  report({ ...waiting, lastError: 'refused', listAt: 1000 });
  expect(problems.list()).toEqual([
    'waiting for nodes of x since 1970-01-01T00:00:00.000Z: the node list of 1970-01-01T00:00:01.000Z stays in use (refused)',
  ]);
  report({ ...waiting, since: undefined });
  expect(problems.list()).toEqual([]);
  expect(logged.at(-1)).toContain('node source is well again');
});
