import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { metricFamilies } from '../../../../agent/reports/metric-families.js';
import { createMetrics } from '../../../../agent/reports/metrics.js';
import type { TargetView } from '../../../../agent/targets/views.js';
import { targetMetrics } from '../../../../agent/reports/metrics-targets.js';
import {
  maxNamedFindings,
  maxNamedPaths,
  rttBoundsSeconds,
  type MetricsView,
} from '../../../../agent/reports/metrics-view.js';

import { reachable, targetOf, viewOf } from './v1/target-views.js';

const planes = ['host', 'endpoint'] as const;
const protocols = ['icmp', 'http'] as const;
const pairs = planes.flatMap((plane) => protocols.map((protocol) => ({ plane, protocol })));

const calm: MetricsView = {
  nodes: ['joining', 'active', 'leaving', 'excluded'].map((phase) => ({
    labels: { phase },
    value: 3,
  })),
  nodesNotReady: 0,
  paths: pairs.flatMap((pair) =>
    ['reachable', 'unreachable', 'unknown', 'lossy', 'slow', 'degraded'].map((state) => ({
      labels: { ...pair, state },
      value: 2,
    })),
  ),
  probes: pairs.flatMap((pair) =>
    ['reply', 'failure', 'not_sent', 'tainted'].map((outcome) => ({
      labels: { ...pair, outcome },
      value: 7,
    })),
  ),
  rtts: pairs.map((pair) => ({
    ...pair,
    cumulativeCounts: [...rttBoundsSeconds.map((_, index) => index), rttBoundsSeconds.length],
    sumSeconds: 0.25,
  })),
  timeToDetectSeconds: protocols.map((protocol) => ({ labels: { protocol }, value: 2.5 })),
  unreachablePaths: [],
  unreachablePathsUnnamed: 0,
  isVerdictUnknown: false,
  findings: ['broken', 'degraded'].map((severity) => ({ labels: { severity }, value: 0 })),
  namedFindings: [],
  observers: ['fresh', 'stale', 'silent'].map((freshness) => ({ labels: { freshness }, value: 1 })),
  targets: targetMetrics([]),
  udpDatagrams: [],
  hints: [
    { labels: { direction: 'sent' }, value: 3 },
    ...['probed', 'known', 'refused'].map((use) => ({
      labels: { direction: 'received', use },
      value: 0,
    })),
  ],
  notices: [],
  hostSigns: [],
  nodeListAgeSeconds: 4,
  eventLoopStallSeconds: 0.012,
  taintedSamples: 1,
  isReady: true,
};

const target = targetOf('registry', {
  probe: { kind: 'tcp', tcp: { host: 'registry.example', port: 443 } },
});
const certificateEndsAt = Date.parse('2026-12-05T10:00:00Z');

const outage: MetricsView = {
  ...calm,
  unreachablePaths: Array.from({ length: maxNamedPaths }, (_, index) => ({
    node: `c/n${index}`,
    plane: 'host',
    protocol: 'icmp',
  })),
  unreachablePathsUnnamed: 19_968,
  namedFindings: Array.from({ length: maxNamedFindings }, (_, index) => ({
    kind: 'node-down',
    severity: 'broken',
    subject: `c/n${index}`,
    known: 'NotReady',
  })),
};

const seriesOf = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'));

describe('the metrics', () => {
  test('show the use of received hints only, because the use of sent ones is unknown', () => {
    const text = createMetrics('1', () => calm).render();
    expect(text).toContain('meshprobe_hints_total{direction="sent"} 3\n');
    expect(text).toContain('meshprobe_hints_total{direction="received",use="probed"} 0\n');
  });

  test('write the RTTs as a cumulative histogram', () => {
    const text = createMetrics('1', () => calm).render();
    expect(text).toContain('# TYPE meshprobe_rtt_seconds histogram');
    const of = (line: string) => text.includes(line);
    expect(of('meshprobe_rtt_seconds_bucket{plane="host",protocol="icmp",le="0.000025"} 0')).toBe(
      true,
    );
    expect(of('meshprobe_rtt_seconds_bucket{plane="host",protocol="icmp",le="+Inf"} 17')).toBe(
      true,
    );
    expect(of('meshprobe_rtt_seconds_sum{plane="host",protocol="icmp"} 0.25')).toBe(true);
    expect(of('meshprobe_rtt_seconds_count{plane="host",protocol="icmp"} 17')).toBe(true);
    expect(rttBoundsSeconds.at(-1)).toBeCloseTo(1.6384, 6);
  });

  test('tell of each target whether it is reached, how fast, and when its certificate ends', () => {
    const up = viewOf(target, { answer: { certificateEndsAt } });
    const down = viewOf(targetOf('dns', { from: ['host'] }), {
      state: reachable({ state: 'unreachable' }),
      rtts: undefined,
    });
    const unknown = viewOf(targetOf('later', { from: ['host'] }), {
      state: reachable({ state: 'unknown' }),
      rtts: undefined,
    });
    const view = { ...calm, targets: targetMetrics([up, down, unknown]) };
    const text = createMetrics('1', () => view).render();
    expect(seriesOf(text).filter((line) => line.startsWith('meshprobe_target_'))).toEqual([
      'meshprobe_target_info{target="registry",kind="tcp"} 1',
      'meshprobe_target_info{target="dns",kind="dns"} 1',
      'meshprobe_target_info{target="later",kind="dns"} 1',
      'meshprobe_target_up{target="registry",plane="host"} 1',
      'meshprobe_target_up{target="registry",plane="endpoint"} 1',
      'meshprobe_target_up{target="dns",plane="host"} 0',
      'meshprobe_target_rtt_seconds{target="registry",plane="host",quantile="0.5"} 0.0004',
      'meshprobe_target_rtt_seconds{target="registry",plane="host",quantile="0.99"} 0.0009',
      'meshprobe_target_rtt_seconds{target="registry",plane="endpoint",quantile="0.5"} 0.0004',
      'meshprobe_target_rtt_seconds{target="registry",plane="endpoint",quantile="0.99"} 0.0009',
      'meshprobe_target_certificate_end_timestamp_seconds{target="registry"} 1796464800',
    ]);
  });

  test('tell of a certificate when it ends first', () => {
    const [host, endpoint] = viewOf(target).planes;
    const ends = (at: number) => ({ answer: { certificateEndsAt: at } });
    const planesOf = [
      { ...host, ...ends(certificateEndsAt) },
      { ...endpoint, ...ends(certificateEndsAt - 5000) },
    ] as TargetView['planes'];
    expect(targetMetrics([{ ...viewOf(target), planes: planesOf }]).certificateEnds).toEqual([
      { labels: { target: 'registry' }, value: 1796464795 },
    ]);
  });

  test('are the families of the list, with their types and help, from the first scrape on', () => {
    const text = createMetrics('1', () => calm).render();
    for (const [name, { type, help }] of Object.entries(metricFamilies)) {
      expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`);
    }
    expect(text.match(/^# TYPE /gm)).toHaveLength(Object.keys(metricFamilies).length);
  });

  test('escape names that would end a label', () => {
    const hostile = { node: 'a"} 1\nmeshprobe_ready 0\\', plane: 'host', protocol: 'icmp' };
    const view = { ...calm, unreachablePaths: [hostile] };
    const text = createMetrics('1', () => view).render();
    expect(text).toContain(
      '{node="a\\"} 1\\nmeshprobe_ready 0\\\\",plane="host",protocol="icmp"} 1',
    );
    expect(seriesOf(text).filter((line) => line.startsWith('meshprobe_ready'))).toEqual([
      'meshprobe_ready 1',
    ]);
  });

  test('have no series twice: two findings of one kind about one node are counted', () => {
    const finding = { kind: 'unexplained', severity: 'broken', subject: 'c/n1', known: '' };
    const view = { ...calm, namedFindings: [finding, finding] };
    const lines = seriesOf(createMetrics('1', () => view).render());
    expect(lines.filter((line) => line.startsWith('meshprobe_finding_info'))).toEqual([
      'meshprobe_finding_info{kind="unexplained",severity="broken",subject="c/n1",known=""} 2',
    ]);
  });

  test('name the signs that the host shows, and keep the family without any', () => {
    const text = (hostSigns: MetricsView['hostSigns']) =>
      createMetrics('1', () => ({ ...calm, hostSigns })).render();
    expect(text(['conntrack-full'])).toContain('meshprobe_host_sign{sign="conntrack-full"} 1\n');
    expect(seriesOf(text([])).filter((line) => line.startsWith('meshprobe_host_sign'))).toEqual([]);
    expect(text([])).toContain('# TYPE meshprobe_host_sign gauge\n');
  });

  test('write infinities as Prometheus reads them', () => {
    const text = createMetrics('1', () => ({ ...calm, nodeListAgeSeconds: Infinity })).render();
    expect(text).toContain('meshprobe_node_list_age_seconds +Inf\n');
  });

  test('pass promtool check metrics without a message', ({ skip }) => {
    if (spawnSync('promtool', ['--version']).error) skip('promtool is not installed (prometheus)');
    const targets = targetMetrics([viewOf(target, { answer: { certificateEndsAt } })]);
    const input = createMetrics('1', () => ({ ...outage, targets })).render();
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input,
      encoding: 'utf8',
    });
    expect(stdout + stderr).toBe('');
    expect(status).toBe(0);
  });
});
