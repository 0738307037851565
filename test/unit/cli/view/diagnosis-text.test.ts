import { expect, test } from 'vitest';
import type { Finding } from '../../../../api/schema/v1/findings.js';
import type { Summary } from '../../../../api/schema/v1/summary.js';
import { renderDiagnosis, type Screen } from '../../../../cli/view/diagnosis-text.js';
import { makeFinding } from '../../../rows/make-finding.js';

const names = Array.from(
  { length: 16 },
  (_, at) => `prod/ip-10-0-${at}.eu-west-1.compute.internal`,
);
const many: Finding = makeFinding({
  count: 310,
  examples: names,
  text: `310 of 1,000 nodes are down (${names.slice(0, 2).join(', ')}, ...)`,
});
const other: Finding = makeFinding({
  kind: 'zones',
  text: 'zones a and b cannot reach each other',
});

const observers = { fresh: 999, stale: 0, silent: 0 };
const at = '2026-01-01T00:01:00.000Z';

function lines(findings: Finding[], screen: Omit<Screen, 'paint'>): string[] {
  const summary: Summary = {
    node: 'prod/a',
    at,
    generation: 1,
    verdict: 'broken',
    nodes: { active: 1000, joining: 0, leaving: 0, excluded: 0 },
    clusters: 1,
    groupBy: [],
    observers,
    paths: { host: {}, endpoint: {} },
    findings: findings.length,
    plan: {},
  };
  const shown = renderDiagnosis(
    { findings: { at, observers, findings }, summary },
    { ...screen, paint: (_, text) => text },
  );
  return shown.trimEnd().split('\n');
}

test('in a terminal names that have no room leave it to what else is broken', () => {
  const [columns, rows] = [80, 16];
  const shown = lines([many, other], { columns, rows });
  const height = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0);
  expect(height).toBeLessThan(rows);
  expect(shown).toContain(`  such as ${names[2]}, ...`);
  expect(shown).toContain('BROKEN  zones a and b cannot reach each other');
});

test('all names stand where there is room, and where the output is no terminal', () => {
  const all = `  such as ${names.join(', ')}`;
  expect(lines([many], { columns: 200, rows: 50 })).toContain(all);
  expect(lines([many, other], {})).toContain(all);
});
