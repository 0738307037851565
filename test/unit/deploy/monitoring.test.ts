import { alertNameOf, kinds } from '../../../agent/diagnosis/kinds/kinds.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findingDocs } from '../../../agent/reports/v1/finding-docs.js';
import type { FindingKind } from '../../../api/schema/v1/finding-kinds.js';
import { settingsForHelm } from '../../../agent/config/settings-for-helm.js';
import { manifestCopies } from '../../../scripts/manifest-copies.js';
import { root } from './lib/deployment.js';
import { readAlertRules } from './lib/alert-rules.js';
import { readBoard } from './lib/board.js';
import { mistakesOf, storedMetrics, usesOf } from './lib/promql.js';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const rules = readAlertRules();
const board = readBoard();
const panels = board.panels.filter(({ type }) => type !== 'row');

/** What a template becomes for agents in the namespace `net`, and for agents that are no pods. */
function commandsOf(template: string) {
  const condition = /\{\{ with \$labels\.namespace \}\}(.*?)(?:\{\{ else \}\}(.*?))?\{\{ end \}\}/g;
  const inPods = template.replace(condition, (_, yes: string) => yes.replaceAll('{{ . }}', 'net'));
  const onHosts = template.replace(condition, (_, __, no: string | undefined) => no ?? '');
  return { inPods, onHosts };
}

describe('the alert rules', () => {
  test.each(rules)('$alert uses only metrics that agents serve', ({ expr }) => {
    expect(mistakesOf(expr)).toEqual([]);
  });

  test.each(rules)('$alert says what is wrong and the next command', (rule) => {
    const { alert, annotations, expr } = rule;
    const isOfFindings = expr.includes('meshprobe_finding_info');
    expect(Object.keys(annotations).toSorted()).toEqual([
      'description',
      'next_command',
      ...(isOfFindings ? ['runbook_url'] : []),
      'summary',
    ]);
    const commands = commandsOf(annotations['next_command'] ?? '');
    expect(commands.onHosts).toMatch(/^(meshprobe|systemctl|promtool) /);
    expect(commands.inPods).toMatch(
      alert === 'MeshprobeAbsent' ? /^promtool / : /^kubectl -n net \w/,
    );
  });

  test('about findings link to what the kind of the finding means', () => {
    const links = rules.map(({ expr, annotations }) => ({
      kind: /\{kind="([\w-]+)"[,}]/.exec(expr)?.[1] ?? '{{ $labels.kind }}',
      url: annotations['runbook_url'],
    }));
    const some = links.filter(({ url }) => url !== undefined);
    expect(some.length).toBeGreaterThan(5);
    for (const { kind, url } of some) expect(url).toBe(findingDocs(kind as FindingKind));
  });

  test.each(kinds.filter(({ alerts }) => alerts))(
    'that the record of $kind names are there, and of that kind',
    ({ kind, alerts = {} }) => {
      for (const name of Object.values(alerts)) {
        const { expr } = rules.find(({ alert }) => alert === name) ?? {};
        const [, of = ''] = /kind=~?"([\w|-]+)"/.exec(expr ?? '') ?? [];
        expect(of.split('|')).toContain(kind);
      }
    },
  );

  test.each(kinds)('that notices name for $kind are there', ({ kind }) => {
    const names = rules.map(({ alert }) => alert);
    for (const severity of ['broken', 'degraded'] as const) {
      expect(names).toContain(alertNameOf({ kind, severity }));
    }
  });

  test('of the copies for Kubernetes know how to look for pods when nothing is scraped', () => {
    const copies = manifestCopies(settingsForHelm());
    for (const path of [
      'deploy/alerts/prometheus-rule.yaml',
      'deploy/helm/meshprobe/files/meshprobe.rules.yaml',
    ]) {
      expect(copies[path]).toContain(
        'next_command: kubectl get ds,pods,servicemonitors,podmonitors -A -l app.kubernetes.io/name=meshprobe',
      );
      expect(copies[path]).not.toMatch(/promtool query|-n meshprobe/);
    }
  });

  test('are in the table of docs/kubernetes.md, with how long each waits', () => {
    const docs = read('docs/kubernetes.md');
    for (const { alert, for: wait } of rules) {
      expect(docs).toMatch(
        new RegExp(`^\\| \`${alert}\` \\|.*\\| ${wait.replace('m', ' min')} \\|$`, 'm'),
      );
    }
  });

  test('each have a test for `promtool test rules`', () => {
    const tests = read('deploy/alerts/meshprobe.rules.test.yaml');
    for (const { alert } of rules) {
      expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n\\s+exp_alerts:\\n`));
    }
  });
});

describe('the board', () => {
  test.each(panels)('$title uses only metrics that agents serve', ({ targets = [] }) => {
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.flatMap(({ expr }) => mistakesOf(expr))).toEqual([]);
    for (const { expr } of targets) {
      for (const { matchers } of usesOf(expr)) {
        expect(matchers).toContainEqual({ label: 'job', values: ['$job'] });
      }
    }
  });

  test('shows every family that agents serve', () => {
    const shown = new Set(
      panels
        .flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => usesOf(expr)))
        .map(({ name }) => name),
    );
    // The buckets of a histogram already tell its sum and count, so no panel shows these two.
    const notShown = [...storedMetrics.keys()].filter((name) => !shown.has(name));
    expect(notShown).toEqual([
      'meshprobe_rtt_seconds_sum',
      'meshprobe_rtt_seconds_count',
      'process_open_fds',
      'process_start_time_seconds',
    ]);
  });

  test('has no panel on top of another, and none beyond the edge', () => {
    const cells = new Set<string>();
    for (const { title, gridPos } of board.panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(cells, title).not.toContain(`${x} ${y}`);
          cells.add(`${x} ${y}`);
        }
      }
    }
  });
});

test('the files that repeat others are what `npm run manifests` writes', () => {
  for (const [path, contents] of Object.entries(manifestCopies(settingsForHelm()))) {
    // Prettier decides how a schema looks.
    if (path.endsWith('.schema.json')) expect(JSON.parse(read(path))).toEqual(JSON.parse(contents));
    else expect(read(path), path).toBe(contents);
  }
});

test('the check of an expression finds unknown metrics, labels, values and groups', () => {
  expect(
    mistakesOf(
      'sum by (zone) (meshprobe_node) / sum(meshprobe_nodes{state="x"}) + meshprobe_paths{state=~"reachable|dead"}',
    ),
  ).toEqual([
    'no metric meshprobe_node',
    'meshprobe_nodes has no label state',
    'state is never dead',
    'nothing to group by zone',
  ]);
  expect(mistakesOf('vector(0)')).toEqual(['expected a metric, got none']);
});
