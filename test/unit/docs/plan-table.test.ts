import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatDurationNs } from '../../../api/duration.js';
import { defaultPlan } from '../../sim/exchange/bounds.js';

const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');

test('the README states the plan of the default settings at each size, alone and with hints', () => {
  const rows = [...readme.matchAll(/^\| [\d,]+ (?:\| [\dms.]+ ){6}\|$/gm)].map(([row]) => row);
  const planned = [100, 1000, 5000, 50_000].map((nodes) => {
    const { icmp, http } = defaultPlan(nodes);
    const cells = [icmp, http].flatMap((plan) => [
      plan.intervalMs,
      plan.timeToDetectMs,
      plan.timeToDetectWithHintsMs ?? NaN,
    ]);
    const texts = cells.map((ms) => formatDurationNs(ms * 1e6));
    return `| ${nodes.toLocaleString('en')} | ${texts.join(' | ')} |`;
  });
  expect(rows).toEqual(planned);
});
