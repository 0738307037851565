import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { statusSchema, type PathStatus, type Status } from '../../../../api/schema/status.js';
import { renderData } from '../../../../cli/view/data.js';
import { escapeText } from '../../../../cli/view/escape.js';
import { renderDaemonHealth } from '../../../../cli/view/daemon-health-text.js';
import { renderHistory, sparkline } from '../../../../cli/view/history-text.js';
import { renderStatus } from '../../../../cli/view/status-text.js';
import { renderSuccinct } from '../../../../cli/view/succinct.js';

const ok = (latency: number) => ({ latency, lastProbed: '2020-12-29T15:17:02Z' });
const failed = (status: string) => ({ status, lastProbed: '2020-12-29T15:17:02Z' });
const good = (ip: string): PathStatus => ({ ip, icmp: ok(1_000_000), http: ok(2_000_000) });
const bad = (ip: string): PathStatus => ({ ip, icmp: failed('Connection timed out'), http: ok(1) });
const plane = (primary: PathStatus, ...secondary: PathStatus[]) => ({
  'primary-address': primary,
  'secondary-addresses': secondary,
});

/** A node with a primary address of its host, and of its endpoint where it has one. */
const nodeOf = (name: string, host: PathStatus, endpoint?: PathStatus) => ({
  name,
  host: plane(host),
  ...(endpoint && { 'health-endpoint': plane(endpoint) }),
});

/** The example for which the CLI's exact output is defined. */
const example: Status = {
  local: { name: 'cluster1/node1' },
  timestamp: '2020-12-29T15:17:02Z',
  probeInterval: '1m0s',
  nodes: [
    nodeOf(
      'cluster1/node1',
      { ip: '10.5.6.60', icmp: ok(9557967), http: ok(405072) },
      { ip: '10.6.2.213', icmp: ok(9951333), http: ok(468645) },
    ),
  ],
};

const statusOf = (...nodes: Status['nodes']): Status => ({ ...example, nodes });

describe('status as text', () => {
  test('prints the defined example byte for byte', () => {
    expect(renderStatus(example)).toBe(`Probe time:   2020-12-29T15:17:02Z
Nodes:
  cluster1/node1 (localhost):
    Host connectivity to 10.5.6.60:
      ICMP to stack:   OK, RTT=9.557967ms
      HTTP to agent:   OK, RTT=405.072µs
    Endpoint connectivity to 10.6.2.213:
      ICMP to stack:   OK, RTT=9.951333ms
      HTTP to agent:   OK, RTT=468.645µs
`);
  });

  test('prints failures, and unknown states with the reason', () => {
    const path = {
      ip: '10.0.0.1',
      http: failed('connection refused'),
      unknown: { icmp: 'no permission' },
    };
    expect(renderStatus(statusOf({ name: 'c/n', host: plane(path) }))).toContain(
      '      ICMP to stack:   unknown (no permission)\n      HTTP to agent:   connection refused\n',
    );
    expect(renderStatus(statusOf({ name: 'c/n', host: plane({ ip: '10.0.0.1' }) }))).toContain(
      'ICMP to stack:   unknown\n',
    );
  });

  test('shows secondary addresses with --verbose or when one of them fails, two spaces deeper', () => {
    const quiet = statusOf({
      name: 'c/n',
      host: plane(good('10.0.0.1'), good('10.0.0.2')),
      'health-endpoint': plane(good('10.1.0.1')),
    });
    expect(renderStatus(quiet)).not.toContain('10.0.0.2');
    const lines =
      '      Secondary connectivity to 10.0.0.2:\n        ICMP to stack:   OK, RTT=1ms\n';
    expect(renderStatus(quiet, { verbose: true })).toContain(lines);
    const broken = statusOf({ name: 'c/n', host: plane(good('10.0.0.1'), bad('10.0.0.2')) });
    expect(renderStatus(broken)).toContain('        ICMP to stack:   Connection timed out\n');
  });

  test('says with --verbose that a node has no endpoint', () => {
    const status = statusOf(nodeOf('c/n', good('10.0.0.1')));
    expect(renderStatus(status)).not.toContain('Endpoint');
    expect(renderStatus(status, { verbose: true })).toContain(
      '    Endpoint connectivity:   none\n',
    );
  });

  test('orders the local node first and the others by bytes', () => {
    const names = ['c/b', 'c/B', 'c/é', 'cluster1/node1', 'c/a'];
    const text = renderStatus(
      statusOf(...names.map((name) => ({ name, host: plane(good('10.0.0.1')) }))),
    );
    const shown = [...text.matchAll(/^ {2}(\S+?)( \(localhost\))?:$/gm)].map(([, name]) => name);
    expect(shown).toEqual(['cluster1/node1', 'c/B', 'c/a', 'c/b', 'c/é']);
  });
});

describe('status with one line for each node', () => {
  test('prints the defined example byte for byte', () => {
    const status: Status = {
      local: { name: 'cluster1/node1' },
      timestamp: '2020-12-31T09:00:03Z',
      nodes: [
        nodeOf('cluster2/node3', bad('10.6.9.133'), bad('10.7.0.3')),
        nodeOf('cluster2/node2', good('10.6.9.132'), good('10.7.0.2')),
        nodeOf('cluster1/node1', good('10.5.6.60'), good('10.7.0.1')),
      ],
    };
    expect(renderSuccinct(status))
      .toBe(`Cluster health:                2/3 reachable   (2020-12-31T09:00:03Z)
  Name                         IP              Node          Endpoints
  cluster1/node1 (localhost)   10.5.6.60       reachable     reachable
  cluster2/node2               10.6.9.132      reachable     reachable
  cluster2/node3               10.6.9.133      unreachable   unreachable
`);
  });

  test('counts unknown nodes separately, also nodes without addresses', () => {
    const text = renderSuccinct(
      statusOf(
        nodeOf('c/1', good('10.0.0.1')),
        { name: 'c/2', host: plane({ ip: '10.0.0.2', icmp: ok(1) }) },
        {
          name: 'c/3',
          host: plane(good('10.0.0.3'), bad('10.0.0.9')),
          'health-endpoint': plane({ ip: '10.1.0.3' }),
        },
        { name: 'c/4' },
      ),
    );
    expect(text).toContain('1/4 reachable, 2 unknown');
    expect(text).toMatch(/c\/1 +10\.0\.0\.1 +reachable +-\n/);
    expect(text).toMatch(/c\/2 +10\.0\.0\.2 +unknown +-\n/);
    expect(text).toMatch(/c\/3 +10\.0\.0\.3 +unreachable +unknown\n/);
    expect(text).toMatch(/c\/4 +Unavailable +unknown +-\n/);
  });

  test('reads the nulls that a Go server writes for missing parts', () => {
    const parsed = statusSchema.parse({
      ...example,
      nodes: [
        {
          name: 'c/1',
          host: {
            'primary-address': { ip: '10.0.0.1', icmp: null, http: null },
            'secondary-addresses': null,
          },
          'health-endpoint': null,
        },
      ],
    });
    expect(renderSuccinct(parsed)).toContain('0/1 reachable, 1 unknown');
    expect(renderStatus(parsed)).toContain('ICMP to stack:   unknown\n');
  });
});

describe('a hostile name', () => {
  const evil = 'c/\u001b]0;owned\u0007\n\u009b31m\u202edlrow\u200b';

  test('is shown escaped', () => {
    expect(escapeText(evil)).toBe('c/\\x1b]0;owned\\x07\\x0a\\x9b31m\\u202edlrow\\u200b');
  });

  test('is never printed unescaped in a view', async () => {
    const status = statusOf({
      name: evil,
      host: plane({ ip: evil, icmp: failed(evil), unknown: { http: evil } }),
    });
    const views = [
      renderStatus({ ...status, timestamp: evil }),
      renderSuccinct({ ...status, timestamp: evil }),
      renderDaemonHealth({
        uptime: evil,
        'system-load': { last1min: evil, last5min: '', last15min: '' },
        problems: [evil],
      }),
      await renderData(status, 'json'),
      await renderData(status, 'yaml'),
    ];
    for (const view of views) {
      expect(view).toContain('owned');
      // eslint-disable-next-line no-control-regex -- the view must not contain these
      expect(view).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b]/);
    }
    expect(JSON.parse(views[3] ?? '')).toEqual(status);
    expect(parse(views[4] ?? '')).toEqual(status);
  });

  test.each(['\u202ehidden', 'a\n\u200bb', '\u{e0041}', "it's \u2028 two", '\t'])(
    'is escaped in YAML and keeps its value: %j',
    async (text) => {
      const yaml = await renderData({ text, [text]: 1 }, 'yaml');
      expect(yaml).not.toMatch(/\p{Cf}|\t|\u2028/u);
      expect(parse(yaml)).toEqual({ text, [text]: 1 });
    },
  );

  test('is escaped with eight digits beyond sixteen bits', () => {
    expect(escapeText('\u{e0041}')).toBe('\\U000e0041');
  });
});

test('the agent itself is shown with its load and problems', () => {
  const load = { last1min: '0.10', last5min: '0.20', last15min: '0.15' };
  expect(
    renderDaemonHealth({ uptime: '1h2m3.5s', 'system-load': load, problems: ['no ICMP'] }),
  ).toBe('Daemon uptime:   1h2m3.5s\nNode load:       0.10 0.20 0.15\nProblem:         no ICMP\n');
});

describe('states other than reachable and unreachable', () => {
  const lossy: PathStatus = {
    ip: '10.0.0.1',
    icmp: { ...ok(1000), lossy: true, degraded: true, loss1m: 0.0333, loss10m: 0.01 },
    http: ok(2000),
  };

  test('a path that loses probes shows as lossy, with its losses', () => {
    const status = statusOf(nodeOf('c/n', lossy, lossy));
    expect(renderStatus(status)).toContain(
      'ICMP to stack:   OK, RTT=1µs, lossy, loss 3.33% in 1m, 1% in 10m, 0% in 1h\n',
    );
    expect(renderSuccinct(status)).toMatch(/reachable \(lossy\) {3}reachable \(lossy\)\n/);
    expect(renderSuccinct(status)).toContain('1/1 reachable');
  });

  test('a path whose RTT has risen shows as slow, without losses', () => {
    const slow = { ...lossy, icmp: { ...ok(9000), slow: true, degraded: true } };
    const status = statusOf(nodeOf('c/n', slow, lossy));
    expect(renderStatus(status)).toContain('ICMP to stack:   OK, RTT=9µs, slow\n');
    expect(renderSuccinct(status)).toMatch(/reachable \(slow\) {3}reachable \(lossy\)\n/);
    const both = plane({ ...slow, http: { ...ok(1), lossy: true, degraded: true } });
    expect(renderSuccinct(statusOf({ name: 'c/n', host: both }))).toContain('(lossy, slow)');
  });

  test('a dead plane does not show as lossy', () => {
    const status = statusOf({ name: 'c/n', host: plane({ ...lossy, http: failed('refused') }) });
    expect(renderSuccinct(status)).not.toContain('lossy');
  });

  test('--verbose shows the plan, the phases of HTTP, the figures and a tainted round trip', () => {
    const http = {
      ...ok(400_000),
      connect: 90_000,
      firstByte: 390_000,
      tcpRtt: 39_000,
      synRetransmissions: 2,
      min: 1000,
      p50: 2000,
      p95: 3000,
      p99: 4000,
      max: 5000,
      tainted: true,
    };
    const status: Status = {
      ...statusOf({ name: 'c/n', host: plane({ ip: '10.0.0.1', icmp: ok(1000), http }) }),
      plan: {
        icmp: { paths: 10_000, intervalMs: 10_000, timeToDetectMs: 11_500 },
        http: { paths: 10_000, intervalMs: 66_667, timeToDetectMs: 68_167 },
      },
    };
    const text = renderStatus(status, { verbose: true });
    expect(text).toContain(
      'ICMP plan:    10000 paths, each every 10s, time to detect 11.5s\n' +
        'HTTP plan:    10000 paths, each every 1m6.667s, time to detect 1m8.167s\n',
    );
    expect(text).toContain(
      'HTTP to agent:         OK, RTT=400µs, tainted, connect=90µs, first byte=390µs, TCP RTT=39µs, SYN resent 2 times, min=1µs, p50=2µs, p95=3µs, max=5µs, loss 0% in 1m, 0% in 10m, 0% in 1h\n',
    );
    expect(renderStatus(status)).not.toContain('plan');
  });

  test('the agent itself is shown with its plan, long stalls and odd ICMP answers', () => {
    const health = {
      uptime: '1s',
      'system-load': { last1min: '0', last5min: '0', last15min: '0' },
    };
    const text = renderDaemonHealth({
      ...health,
      plan: { icmp: { paths: 2, intervalMs: 1000, timeToDetectMs: 2500 } },
      'event-loop': { 'longest-stall-ms': 1500 },
      icmp: { sent: 9, answered: 8, late: 1, duplicate: 2, foreign: 3, dropped: 4 },
    });
    expect(text).toContain('ICMP plan:       2 paths, each every 1s, time to detect 2.5s\n');
    expect(text).toContain('Longest stall:   1.5s in the last minute\n');
    const starved = renderDaemonHealth({
      ...health,
      'event-loop': { 'longest-stall-ms': 1500, 'longest-starvation-ms': 1200 },
    });
    expect(starved).toContain('1.5s in the last minute; without a processor for up to 1.2s\n');
    expect(text).toContain(
      'ICMP answers:    8 of 9; 1 late, 2 duplicate, 3 foreign, 4 dropped on this host\n',
    );
  });
});

describe('nodes that are not expected to answer', () => {
  const nodes: Status['nodes'] = [
    nodeOf('c/a', good('10.0.0.1')),
    {
      name: 'c/b',
      host: plane(bad('10.0.0.2')),
      lifecycle: { phase: 'excluded', reason: 'cordoned\u001b' },
    },
    { name: 'c/c', lifecycle: { phase: 'joining', reason: 'NotReady' } },
  ];

  test('are listed with the reason and counted apart, never as failures', () => {
    const text = renderSuccinct(statusOf(...nodes));
    expect(text).toContain('1/1 reachable, 1 joining, 1 excluded   (');
    expect(text).toMatch(/c\/b \(excluded: cordoned\\x1b\) +10\.0\.0\.2 +unreachable/);
    expect(renderStatus(statusOf(...nodes))).toContain('  c/c (joining: NotReady):\n');
  });
});

describe('the history of a node', () => {
  const at = (second: number) => `2020-12-29T15:17:0${second}.000Z`;
  const empty = { node: 'c/n2', timestamp: at(5), keptSamples: 60, bytesPerPath: 1370, paths: [] };

  test('is drawn from the smallest to the largest round trip, with marks for failed and tainted probes', () => {
    expect(
      sparkline([
        { at: at(0), rtt: 1000 },
        { at: at(1), rtt: 2000 },
        { at: at(2), failure: 'lost' },
        { at: at(3), rtt: 9e9, tainted: true },
        { at: at(4), rtt: 1500 },
      ]),
    ).toBe('▁█x~▅');
    expect(sparkline([{ at: at(0), rtt: 5 }])).toBe('▁');
    expect(sparkline([])).toBe('');
  });

  test('has a line and the figures of each path and protocol', () => {
    const text = renderHistory({
      ...empty,
      paths: [
        {
          plane: 'host',
          ip: '10.0.0.2',
          icmp: {
            state: 'reachable',
            since: at(0),
            lossy: true,
            slow: true,
            degraded: true,
            loss1m: 0.5,
            min: 1000,
            p50: 1000,
            p95: 1000,
            p99: 1000,
            max: 1000,
            samples: [
              { at: at(1), rtt: 1000 },
              { at: at(4), failure: 'lost' },
            ],
          },
        },
      ],
    });
    expect(text).toContain('host 10.0.0.2   ICMP   ▁x   2 probes in 3s\n');
    expect(text).toMatch(
      /host 10\.0\.0\.2 +ICMP +reachable \(lossy, slow\) +2020.*1µs +50% +0% +0%\n/,
    );
  });

  test('keeps to a narrow terminal', () => {
    const samples = Array.from({ length: 60 }, (_, i) => ({ at: at(i), rtt: 1_234_567 + i }));
    const rtts = { min: 1_234_567, p50: 1_234_567, p95: 1_234_567, max: 1_234_567 };
    const icmp = { state: 'reachable' as const, since: at(0), loss1m: 0.5, ...rtts, samples };
    const history = {
      ...empty,
      paths: [{ plane: 'host' as const, ip: '10.0.0.2', icmp, http: icmp }],
    };
    expect(renderHistory(history, 200)).toBe(renderHistory(history));
    const lines = renderHistory(history, 60).split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBe(60);
    expect(lines).toContain('host 10.0.0.2 HTTP: reachable');
    expect(lines.some((line) => line.startsWith('  58 probes'))).toBe(true);
    expect(lines).toContain('  loss 1m 50%, 10m 0%, 1h 0%');
  });

  test('says if a node was never probed, and escapes its name', () => {
    expect(renderHistory({ ...empty, node: 'c/\u001bn' })).toBe(
      `c/\\x1bn at ${at(5)}\nnot probed yet\n`,
    );
  });
});
