import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseDurationMs } from '../../api/duration.js';
import type { FabricHost } from './lib/fabric-plan.js';
import { useFabric } from './lib/use-fabric.js';

const longTest = { timeout: 240_000 };
const patient = { timeout: 90_000, interval: 500 };
/** What is usual on a host is known then. */
const learnedMs = 40_000;

describe('what a host shows of itself', () => {
  const fabric = useFabric({ family: 4 });

  const program = (name: string) => join(import.meta.dirname, 'programs', name);
  const runOn = (host: string, name: string, ...args: readonly string[]) =>
    fabric().runOn(host, [process.execPath, program(name), ...args]);

  /** The signs of a node, as the agent of a host tells them. */
  const signsOf = async (node: FabricHost, by: FabricHost) =>
    ((await fabric().client(by).node(node)).signs ?? [])
      // It is of the whole machine, which may really have too few processors.
      .filter(({ sign }) => sign !== 'cpu-pressure')
      .map(({ sign, text }) => ({ sign, text }));

  async function untilLearned(host: FabricHost): Promise<void> {
    const uptimeMs = async () =>
      parseDurationMs((await fabric().client(host).daemonHealth()).uptime) ?? 0;
    await vi.waitUntil(async () => (await uptimeMs()) > learnedMs, patient);
  }

  beforeEach(async () => {
    await untilLearned('h1');
    await untilLearned('h2');
  }, 120_000);

  test(
    'is nothing while all is well, and says what its kernel does not show',
    longTest,
    async () => {
      for (const by of ['h1', 'h2'] as const) {
        expect(await signsOf('h1', by)).toEqual([]);
        expect((await fabric().client(by).findings()).findings).toEqual([]);
      }
    },
  );

  test(
    'is told to the others, and with the finding that begins at the same time',
    longTest,
    async () => {
      await runOn('leaf1', 'send-frames.js', 'h1', '500');
      for (const by of ['h1', 'h2'] as const) {
        await expect
          .poll(() => signsOf('h1', by), patient)
          .toEqual([
            {
              sign: 'interface-drops',
              text: expect.stringMatching(/^interface eth0 dropped 5\d\d packets/) as string,
            },
          ]);
        expect((await fabric().client(by).findings()).findings).toEqual([]);
      }
      const host = fabric().address('h1');
      await fabric().drop('leaf1', 'forward', `ip daddr ${host} icmp type echo-request`);
      const told = async (by: FabricHost) => {
        const { findings } = await fabric().client(by).findings();
        return findings.flatMap(({ signs = [] }) =>
          signs
            .filter(({ sign }) => sign !== 'cpu-pressure')
            .map(({ node, sign }) => `${node} ${sign}`),
        );
      };
      await expect.poll(() => told('h2'), patient).toEqual(['lab/h1 interface-drops']);
    },
  );

  test(
    'is told as a change before the finding that begins after it, by both ends',
    longTest,
    async ({ onTestFinished }) => {
      // What the test before has made may still close, and a finding that goes on began before the change.
      for (const by of ['h1', 'h2'] as const)
        await expect
          .poll(async () => (await fabric().client(by).findings()).findings, patient)
          .toEqual([]);
      onTestFinished(async () => {
        await fabric().runOn('h1', ['ip', 'link', 'set', 'eth0', 'mtu', '1500']);
      });
      await fabric().runOn('h1', ['ip', 'link', 'set', 'eth0', 'mtu', '1400']);
      const changes = async (by: FabricHost) =>
        ((await fabric().client(by).node('h1')).changes ?? []).map(({ text }) => text);
      const text = 'interface eth0 went from MTU 1500 to 1400';
      for (const by of ['h1', 'h2'] as const)
        await expect.poll(() => changes(by), patient).toContain(text);
      for (const by of ['h1', 'h2'] as const) {
        const events = fabric()
          .client(by)
          .events({ after: 0, follow: false, types: ['change'] });
        const told: string[] = [];
        for await (const { event } of events)
          if (event?.type === 'change') told.push(`${event.node}: ${event.text}`);
        expect(told.filter((words) => words === `lab/h1: ${text}`)).toHaveLength(1);
        expect(told.some((words) => words.startsWith(`lab/${by}: the agent started`))).toBe(true);
      }
      const host = fabric().address('h1');
      await fabric().drop('leaf1', 'forward', `ip daddr ${host} icmp type echo-request`);
      const told = async (by: FabricHost) => {
        const { findings } = await fabric().client(by).findings();
        return findings.flatMap((one) => (one.changes ?? []).map((change) => change.text));
      };
      for (const by of ['h1', 'h2'] as const)
        await expect.poll(() => told(by), patient).toContain(text);
    },
  );

  test(
    'is what its sockets could not take, and a link that comes and goes is a finding',
    longTest,
    async () => {
      await fabric().runOn('h2', ['ip', 'link', 'set', 'lo', 'up']);
      await runOn('h2', 'overflow.js', 'udp');
      await runOn('h2', 'overflow.js', 'tcp');
      const names = async () => (await signsOf('h2', 'h1')).map(({ sign }) => sign);
      await expect
        .poll(names, patient)
        .toEqual(expect.arrayContaining(['listen-overflows', 'udp-buffer-drops']));
      // What the test before has made may still close.
      await expect
        .poll(async () => (await fabric().client('h1').findings()).findings, patient)
        .toEqual([]);
      for (let time = 0; time < 4; time++) {
        await fabric().runOn('leaf2', ['ip', 'link', 'set', 'h2', 'down']);
        await fabric().runOn('leaf2', ['ip', 'link', 'set', 'h2', 'up']);
      }
      const found = async (by: FabricHost) =>
        (await fabric().client(by).findings()).findings.map(({ id }) => id);
      for (const by of ['h1', 'h2'] as const)
        await expect.poll(() => found(by), patient).toContain('host-sign:carrier-flaps:lab/h2');
    },
  );

  test(
    'is that its probes find no free port, which says nothing of their peer',
    longTest,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'meshprobe-ports-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const held = join(folder, 'held');
      await writeFile(held, '');
      const sysctl = 'net.ipv4.ip_local_port_range';
      const usual = (await fabric().runOn('h2', ['sysctl', '-n', sysctl])).trim();
      await fabric().runOn('h2', ['sysctl', '-w', `${sysctl}=20000 20009`]);
      const holding = runOn('h2', 'hold-ports.js', '20000', '20009', held);
      for (const by of ['h1', 'h2'] as const) {
        await expect
          .poll(() => signsOf('h2', by), patient)
          .toContainEqual({
            sign: 'ports-exhausted',
            text: expect.stringMatching(
              /^\d+ of \d+ connects of its agent found no free port in the last minute \(ports 20000-20009\)$/,
            ) as string,
          });
        const { findings } = await fabric().client(by).findings();
        expect(findings.filter(({ severity }) => severity === 'broken')).toEqual([]);
      }
      await rm(held);
      await holding;
      await fabric().runOn('h2', ['sysctl', '-w', `${sysctl}=${usual}`]);
      const names = async () => (await signsOf('h2', 'h1')).map(({ sign }) => sign);
      await expect.poll(names, patient).not.toContain('ports-exhausted');
    },
  );

  test('is a finding of its own where the table of connections is full', longTest, async () => {
    await fabric().runOn('h1', [
      'sh',
      '-ec',
      `ip link add sink type veth peer name drain
       ip link set sink arp off up
       ip link set drain up
       ip route add 10.99.0.0/16 dev sink
       echo 300 > /proc/sys/net/netfilter/nf_conntrack_udp_timeout
       nft 'add table inet tracked; add chain inet tracked out { type filter hook output priority 0; }; add rule inet tracked out ct state new accept'`,
    ]);
    const most = Number(
      await fabric().runOn('h1', ['cat', '/proc/sys/net/netfilter/nf_conntrack_max']),
    );
    await runOn('h1', 'open-flows.js', '10.99.0.1', `${most + 10_000}`);
    const found = async (by: FabricHost) =>
      (await fabric().client(by).findings()).findings.map(({ id, text }) => ({ id, text }));
    for (const by of ['h1', 'h2'] as const) {
      await expect
        .poll(() => found(by), patient)
        .toContainEqual({
          id: 'host-sign:conntrack-full:lab/h1',
          text: expect.stringMatching(/^lab\/h1: conntrack table (nearly )?full \(2/) as string,
        });
    }
    await fabric().runOn('h1', ['conntrack', '-F']);
    for (const by of ['h1', 'h2'] as const)
      await expect
        .poll(() => found(by), patient)
        .not.toContainEqual(expect.objectContaining({ id: 'host-sign:conntrack-full:lab/h1' }));
  });
});

describe('what the pod network of a node shows of itself', () => {
  const fabric = useFabric({ family: 4, overlayMtu: 1450, hasTarget: true });

  test('is a sign of the endpoint plane, as its responder tells the agent', longTest, async () => {
    const uptimeMs = async () =>
      parseDurationMs((await fabric().client('h1').daemonHealth()).uptime) ?? 0;
    await vi.waitUntil(async () => (await uptimeMs()) > learnedMs, patient);
    const program = join(import.meta.dirname, 'programs/overflow.js');
    await fabric().runOn('h1e', ['ip', 'link', 'set', 'lo', 'up']);
    await fabric().runOn('h1e', [process.execPath, program, 'udp']);
    for (const by of ['h1', 'h2'] as const) {
      const signs = async () =>
        ((await fabric().client(by).node('h1')).signs ?? [])
          .filter(({ sign }) => sign === 'udp-buffer-drops')
          .map(({ plane, text }) => ({ plane, text }));
      await expect.poll(signs, patient).toEqual([
        {
          plane: 'endpoint',
          text: expect.stringMatching(/^pod network: \d+ UDP datagrams found the buffer/) as string,
        },
      ]);
    }
    const { signs = [] } = await fabric().client('h1').node('h2');
    expect(signs.map(({ plane }) => plane)).not.toContain('endpoint');
    const missing = (await fabric().client('h1').daemonHealth())['missing-signs'] ?? [];
    expect(missing.map(({ because = '' }) => because)).not.toContain(
      'the endpoint of this node tells nothing of the pod network',
    );
  });
});
