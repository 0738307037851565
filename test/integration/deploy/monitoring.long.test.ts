import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { newFolder } from '../../resources/folder.js';
import { readAlertRules } from '../../unit/deploy/lib/alert-rules.js';
import { fillIn, readBoard } from '../../unit/deploy/lib/board.js';
import { root } from '../../unit/deploy/lib/deployment.js';
import { runTool, whyNoTool } from './lib/tools.js';

const alerts = join(root, 'deploy', 'alerts');
const reason = whyNoTool('promtool');
let folder: string;
beforeEach(({ skip }) => {
  skip(reason !== undefined, reason);
  folder = newFolder();
});

const stepSeconds = 30;
const steps = 160;
const agents = Array.from({ length: 20 }, (_, index) => `n${index}`);

/** The value of a series at a step, or undefined if the series is absent then. */
type Values = (step: number) => number | undefined;

/**
 * Runs the rules over these series. The output of promtool is empty unless an alert fires at some
 * step.
 */
function alertsOver(series: ReadonlyMap<string, Values>): string {
  const all = Array.from({ length: steps }, (_, step) => step);
  const file = {
    rule_files: [join(alerts, 'meshprobe.rules.yaml')],
    evaluation_interval: `${stepSeconds}s`,
    tests: [
      {
        interval: `${stepSeconds}s`,
        input_series: [...series].map(([name, values]) => ({
          series: name,
          values: all.map((step) => values(step) ?? 'stale').join(' '),
        })),
        promql_expr_test: all.map((step) => ({
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${step * stepSeconds}s`,
          exp_samples: [],
        })),
      },
    ],
  };
  const path = join(folder, 'test.yaml');
  writeFileSync(path, stringify(file));
  const { stdout, stderr } = runTool('promtool', ['test', 'rules', path]);
  expect(stdout + stderr).toMatch(/SUCCESS|FAILED/);
  return stdout + stderr;
}

/** The metrics of all agents while they are restarted one after the other. */
function rollingRestart(downSteps: (agent: number) => number): Map<string, Values> {
  const series = new Map<string, Values>();
  const from = (agent: number) => 10 + 3 * agent;
  const isDown = (agent: number, step: number) =>
    step >= from(agent) && step < from(agent) + downSteps(agent);
  /**
   * Steps since the last restart of the agent. The number is large if the agent was not restarted
   * yet.
   */
  const age = (agent: number, step: number) =>
    step < from(agent) ? Infinity : step - from(agent) - downSteps(agent);
  for (const [agent, instance] of agents.entries()) {
    const serve = (name: string, labels: string, values: (step: number, age: number) => number) =>
      series.set(`${name}{instance="${instance}"${labels}}`, (step) =>
        isDown(agent, step) ? undefined : values(step, age(agent, step)),
      );
    const down = (step: number) => agents.filter((_, other) => isDown(other, step)).length;
    const others = agents.length - 1;
    serve('meshprobe_build_info', ', version="0.1.0"', () => 1);
    serve('meshprobe_ready', '', (_, age) => (age < 2 ? 0 : 1));
    serve('meshprobe_verdict_unknown', '', (_, age) => (age < 3 ? 1 : 0));
    // A new agent waits for its first node list. After that the age is 0 while the source works.
    serve('meshprobe_node_list_age_seconds', '', (_, age) => (age < 1 ? stepSeconds : 0));
    serve('meshprobe_nodes', ', phase="active"', () => agents.length);
    serve('meshprobe_nodes', ', phase="excluded"', () => 0);
    serve('meshprobe_observers', ', freshness="fresh"', (step, age) =>
      age < 3 ? 0 : others - down(step),
    );
    serve('meshprobe_observers', ', freshness="stale"', (step, age) => (age < 3 ? 0 : down(step)));
    serve('meshprobe_observers', ', freshness="silent"', (_, age) => (age < 3 ? others : 0));
    const probes = ', plane="host", protocol="http"';
    const sent = (step: number, age: number) => 100 * (Number.isFinite(age) ? age : step);
    serve('meshprobe_probes_total', `${probes}, outcome="reply"`, sent);
    // Half of the first minute's samples are tainted.
    serve(
      'meshprobe_probes_total',
      `${probes}, outcome="tainted"`,
      (step, age) => Math.min(sent(step, age), 200) / 2,
    );
    for (const kind of ['agent-down', 'endpoint-down', 'http-filtered']) {
      series.set(
        `meshprobe_finding_info{instance="n0", kind="${kind}", severity="broken", subject="c/${instance}"}`,
        (step) =>
          isDown(agent, step) || age(agent, step) < 2
            ? step < from(agent)
              ? undefined
              : 1
            : undefined,
      );
    }
    // An agent forgets the losses of its peers after ten minutes.
    series.set(
      `meshprobe_finding_info{instance="n0", kind="lossy", severity="degraded", subject="c/${instance}"}`,
      (step) => (step >= from(agent) && age(agent, step) < 20 ? 1 : undefined),
    );
  }
  series.set(
    'meshprobe_finding_info{instance="n0", kind="observers-missing", severity="degraded", subject="observers-missing"}',
    (step) => (step >= 10 && step < 100 ? 1 : undefined),
  );
  return series;
}

/** The metrics of all agents while eight nodes are switched off one after the other. */
function switchedOff({ areCordonedBefore }: { areCordonedBefore: boolean }): Map<string, Values> {
  const series = new Map<string, Values>();
  const countOf = (is: (agent: number, step: number) => boolean) => (step: number) =>
    agents.filter((_, agent) => agent < 8 && is(agent, step)).length;
  const isOff = (agent: number, step: number) => agent < 8 && step >= 20 + agent;
  const off = countOf(isOff);
  const cordoned = countOf((agent, step) => areCordonedBefore && step >= 10 + agent);
  for (const [agent, instance] of agents.entries()) {
    const serve = (name: string, labels: string, values: (step: number) => number) =>
      series.set(`${name}{instance="${instance}"${labels}}`, (step) =>
        isOff(agent, step) ? undefined : values(step),
      );
    serve('meshprobe_build_info', ', version="0.1.0"', () => 1);
    serve('meshprobe_ready', '', () => 1);
    serve('meshprobe_node_list_age_seconds', '', () => 0);
    serve('meshprobe_nodes', ', phase="active"', (step) => agents.length - cordoned(step));
    serve('meshprobe_nodes', ', phase="excluded"', cordoned);
    serve('meshprobe_observers', ', freshness="fresh"', (step) => agents.length - 1 - off(step));
    serve('meshprobe_observers', ', freshness="stale"', off);
    serve('meshprobe_observers', ', freshness="silent"', () => 0);
  }
  return series;
}

describe('the alert rules', () => {
  test('are valid, and each fires when it should', () => {
    const check = runTool('promtool', ['check', 'rules', 'meshprobe.rules.yaml'], alerts);
    expect([check.status, check.stderr]).toEqual([0, '']);
    const tried = runTool('promtool', ['test', 'rules', 'meshprobe.rules.test.yaml'], alerts);
    expect([tried.status, tried.stdout + tried.stderr]).toEqual([0, expect.any(String)]);
  });

  test('are quiet while all agents are restarted one after the other', () => {
    expect(alertsOver(rollingRestart(() => 2))).not.toContain('FAILED');
  });

  test('fire in the same restart for an agent that does not come back', () => {
    const text = alertsOver(rollingRestart((agent) => (agent === 7 ? steps : 2)));
    expect(text).toContain('alertname="MeshprobeAgentDown"');
    expect(text).not.toContain('alertname="MeshprobeAgentsMissing"');
  });

  test('are quiet for nodes that are cordoned and then switched off', () => {
    expect(alertsOver(switchedOff({ areCordonedBefore: true }))).not.toContain('FAILED');
  });

  test('fire for nodes that are switched off without that', () => {
    const text = alertsOver(switchedOff({ areCordonedBefore: false }));
    expect(text).toContain('alertname="MeshprobeAgentsMissing"');
  });
});

test('Prometheus takes every query of the board', () => {
  const queries = readBoard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(20);
  const rules = queries.map((expr, index) => ({
    record: `query:${index}`,
    expr: fillIn(expr, '5m'),
  }));
  const path = join(folder, 'queries.yaml');
  writeFileSync(path, stringify({ groups: [{ name: 'board', rules }] }));
  const { status, stdout, stderr } = runTool('promtool', ['check', 'rules', path]);
  expect([status, stdout + stderr]).toEqual([
    0,
    expect.stringContaining(`${queries.length} rules`),
  ]);
});

test('Prometheus takes the configuration of docs/hosts.md', () => {
  const page = readFileSync(join(root, 'docs', 'hosts.md'), 'utf8');
  const [, text = ''] = /^# prometheus\.yaml\n([^]*?)^```/m.exec(page) ?? [];
  const path = join(folder, 'prometheus.yaml');
  writeFileSync(path, text);
  copyFileSync(join(alerts, 'meshprobe.rules.yaml'), join(folder, 'meshprobe.rules.yaml'));
  const { status, stdout, stderr } = runTool('promtool', ['check', 'config', path]);
  expect([status, stdout + stderr]).toEqual([
    0,
    expect.stringContaining(`${readAlertRules().length} rules found`),
  ]);
});
