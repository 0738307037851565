import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { alertRulesPath, readAlertRules } from '../../unit/deploy/lib/alert-rules.js';
import { fillIn, readBoard } from '../../unit/deploy/lib/board.js';
import { whyNoTool } from './lib/tools.js';
import { AgentBench } from '../lib/agent-process.js';
import { freePort } from '../lib/free-port.js';
import { ReceiverServer } from '../notices/lib/receiver-server.js';
import { Prometheus } from './lib/prometheus.js';

const reason = whyNoTool('prometheus');
const longTimeout = { timeout: 60_000, interval: 250 };
const board = readBoard();
const queries = board.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);
const rules = readAlertRules();
/**
 * Prometheus scrapes these two agents. The third node has an endpoint and answers echoes, but runs
 * no agent.
 */
const agents = ['n1', 'n2'];
const withoutAgent = 'n3';

let bench: AgentBench | undefined;
let prometheus: Prometheus | undefined;
let receiver: ReceiverServer | undefined;

async function startAgents(): Promise<Map<string, string>> {
  const started = (bench = new AgentBench());
  const [probePort, udpPort] = [String(await freePort()), String(await freePort())];
  const addressOf = (name: string) => `127.0.9.${name.slice(1)}`;
  const endpointOf = (name: string) => `127.0.10.${name.slice(1)}`;
  const nodes = [...agents, withoutAgent].map((name) => ({
    name,
    host: addressOf(name),
    endpoint: endpointOf(name),
  }));
  const nodesFile = started.file('nodes.yaml', JSON.stringify({ nodes }));
  receiver = await new ReceiverServer().listen();
  const told = { receivers: [{ name: 'ops', type: 'webhook', url: receiver.url }] };
  const notifyFile = started.file('notify.yaml', JSON.stringify(told));
  const ofEndpoint = ['--listen-address', endpointOf(withoutAgent), '--probe-port', probePort];
  started.start(['responder', ...ofEndpoint]);
  const targets = new Map<string, string>();
  for (const name of agents) {
    const target = `127.0.0.1:${await freePort()}`;
    targets.set(name, target);
    const listen = [addressOf(name), endpointOf(name)].flatMap((ip) => ['--listen-address', ip]);
    const settings = {
      'node-name': name,
      'nodes-file': nodesFile,
      'notify-file': notifyFile,
      'socket-path': started.path(`${name}.sock`),
      'probe-port': probePort,
      'udp-port': udpPort,
      // On loopback datagrams come from its first address.
      'mesh-source': '127.0.0.1',
      'metrics-listen': target,
      'icmp-interval': '200ms',
      'http-interval': '500ms',
    };
    const flags = Object.entries(settings).flatMap(([flag, value]) => [`--${flag}`, value]);
    started.start([...flags, ...listen]);
  }
  return targets;
}

describe('a real Prometheus that scrapes real agents', { timeout: 90_000 }, () => {
  beforeAll(async () => {
    if (reason !== undefined) return;
    prometheus = await Prometheus.start(await startAgents(), [alertRulesPath]);
  }, 60_000);
  beforeEach(({ skip }) => skip(reason !== undefined, reason));
  afterAll(async () => {
    await prometheus?.stop();
    await bench?.close();
    await receiver?.close();
  });

  const running = (): Prometheus => {
    if (prometheus === undefined) throw new Error('expected a running Prometheus');
    return prometheus;
  };
  const seriesOf = (query: string) => running().query(query);

  test('has no error at a scrape, and knows each agent', async () => {
    await vi.waitFor(async () => {
      const errors = await running().scrapeErrors();
      expect(Object.fromEntries(errors)).toEqual({ n1: '', n2: '' });
    }, longTimeout);
    const versions = await seriesOf('meshprobe_build_info');
    expect(versions.map(({ metric }) => metric['instance']).toSorted()).toEqual(agents);
  });

  test('keeps at most 250 series of an agent that has a finding', async () => {
    await vi.waitFor(async () => {
      expect(await seriesOf('meshprobe_finding_info')).not.toEqual([]);
    }, longTimeout);
    for (const { value } of await seriesOf('scrape_samples_scraped')) {
      expect(Number(value[1])).toBeGreaterThan(100);
      expect(Number(value[1])).toBeLessThanOrEqual(250);
    }
  });

  test('gives the board the jobs to choose from', async () => {
    const { query } = board.templating.list.find(({ name }) => name === 'job') ?? {};
    expect(query).toMatchObject({ query: 'label_values(meshprobe_build_info, job)' });
    await vi.waitFor(async () => {
      expect(await running().labelValues('job', 'meshprobe_build_info')).toEqual(['meshprobe']);
    }, longTimeout);
  });

  // These agents are told of no targets, and a host shows a sign only while it has one.
  const answered = queries.filter(({ expr }) => !/meshprobe_(target_|host_sign)/.test(expr));
  test.each(answered)('has series for the query of the board: $title, $expr', async ({ expr }) => {
    // A rate needs two scrapes, and a finding needs some probes.
    await vi.waitFor(
      async () => expect(await seriesOf(fillIn(expr, '30s'))).not.toEqual([]),
      longTimeout,
    );
  });

  test('evaluates every alert rule without an error', async () => {
    await vi.waitFor(async () => {
      const loaded = (await running().rules()).map(({ name, health }) => [name, health]);
      expect(loaded).toEqual(rules.map(({ alert }) => [alert, 'ok']));
    }, longTimeout);
  });

  test('has the alert of the missing agent pending, and that of no other subject', async () => {
    await vi.waitFor(async () => {
      const loaded = await running().rules();
      const raised = loaded
        .filter(({ state }) => state !== 'inactive')
        .flatMap(({ name, alerts }) => alerts.map(({ labels }) => [name, labels['subject']]))
        // An alert without a subject is about the agent itself. On a loaded machine it is starved.
        .filter(([, subject]) => subject !== undefined);
      expect(raised).toEqual([['MeshprobeAgentDown', `default/${withoutAgent}`]]);
    }, longTimeout);
  });

  test.each(rules)('takes the expression of $alert as a query', async ({ expr }) => {
    await expect(seriesOf(expr)).resolves.toBeInstanceOf(Array);
  });
});
