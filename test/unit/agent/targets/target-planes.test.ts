import { describe, expect, test } from 'vitest';
import { MeshKeys } from '../../../../agent/exchange/messages/mesh-keys.js';
import { NodeDirectory } from '../../../../agent/peers/node-directory.js';
import { pathsOf, type Path } from '../../../../agent/model/path.js';
import { TargetPlanes } from '../../../../agent/targets/target-planes.js';
import { FakeClock } from '../probing/fake-clock.js';
import { FakeServer, tcpTarget } from './lib/fake-target.js';
import { createEndpoint } from './lib/fake-endpoint.js';

// So rarely that no look of the steady round is among those that are counted.
const target = tcpTarget('database', { intervalMs: 3_600_000 });
const node = { name: 'c/n1', host: ['10.1.0.1'], endpoint: ['10.2.0.1'] };

/** An agent and the endpoint of its node. Both know that the target is well. */
async function createNode({ nodes = 12, isSeenByOthers = false } = {}) {
  const clock = new FakeClock();
  const servers = { host: new FakeServer(clock), endpoint: new FakeServer(clock) };
  const planes = new TargetPlanes({
    localName: node.name,
    clock,
    keys: new MeshKeys(),
    budgetPerSecond: 50,
    createProber: servers.host.createProber,
    random: () => 0.5,
  });
  const { monitor, answer } = createEndpoint(clock, servers.endpoint);
  const directory = new NodeDirectory();
  directory.update([node], { added: pathsOf(node), removed: [] }, clock.nowMs());
  const askedMs: number[] = [];
  const told: string[] = [];
  const get = (path: Path) => {
    const asked = planes.ask(path);
    if (!asked) return;
    askedMs.push(clock.nowMs());
    const reply = answer(asked.header, '10.1.0.1');
    const nowMs = clock.nowMs();
    asked.onAnswer(reply?.header, reply?.body ?? '', { sentMs: nowMs, receivedMs: nowMs });
  };
  for (const one of [planes.monitor, monitor]) one.setTargets([target]);
  planes.start({
    peers: { directory },
    scheduler: { probeNow: get },
    mesh: {
      witness: {
        noteTarget: ({ plane }, _, after) => void told.push(`${plane} ${after.state}`),
        noteTargetServer: ({ plane, server, change }) =>
          void told.push(`${plane} ${server} ${change}`),
        isTargetSeenByOthers: () => isSeenByOthers,
      },
    },
    cluster: { onTarget: () => undefined, onTargetServer: () => undefined },
  });
  planes.setNodes(nodes);
  await clock.advance(30_000);
  for (const one of [planes.monitor, monitor]) one.get('database')?.probeSoon();
  await clock.advance(5000);
  const reset = () => {
    for (const { sentMs } of Object.values(servers)) sentMs.length = 0;
    askedMs.length = 0;
    told.length = 0;
  };
  reset();
  return {
    clock,
    planes,
    servers,
    askedMs,
    told,
    reset,
    probeSoon: {
      host: () => planes.monitor.get('database')?.probeSoon(),
      endpoint: () => monitor.get('database')?.probeSoon(),
    },
  };
}

const others = { host: 'endpoint', endpoint: 'host' } as const;

describe('a node that sees a target change from one plane', () => {
  test.each(['host', 'endpoint'] as const)(
    'looks from its other one too, at once and a little later: the %s',
    async (plane) => {
      const { clock, servers, probeSoon } = await createNode();
      servers[plane].isSilent = true;
      probeSoon[plane]();
      await clock.advance(8000);
      expect(servers[others[plane]].sentMs).toHaveLength(2);
      // What the other one finds well, it does not look at for ever.
      await clock.advance(20_000);
      expect(servers[others[plane]].sentMs).toHaveLength(2);
    },
  );

  test('looks when it is back, too', async () => {
    const { clock, servers, probeSoon, reset } = await createNode();
    for (const server of Object.values(servers)) server.isSilent = true;
    probeSoon.host();
    await clock.advance(10_000);
    reset();
    for (const server of Object.values(servers)) server.isSilent = false;
    probeSoon.host();
    await clock.advance(10_000);
    expect(servers.endpoint.sentMs.length).toBeGreaterThanOrEqual(2);
  });

  test('waits for others where many nodes look, and looks only if none of them tells the same', async () => {
    const looksOfOther = async (isSeenByOthers: boolean, ms: number) => {
      const { clock, servers, probeSoon } = await createNode({ nodes: 13, isSeenByOthers });
      servers.host.isSilent = true;
      probeSoon.host();
      // The verdict takes two seconds.
      await clock.advance(2000 + ms);
      return servers.endpoint.sentMs.length;
    };
    expect(await looksOfOther(false, 1900)).toBe(0);
    expect(await looksOfOther(false, 5000)).toBe(1);
    expect(await looksOfOther(true, 5000)).toBe(0);
  });

  test('does not look where its other plane knows it already', async () => {
    const { clock, servers, probeSoon, told, reset } = await createNode();
    for (const server of Object.values(servers)) server.isSilent = true;
    probeSoon.host();
    await clock.advance(10_000);
    expect(told).toEqual(['host unreachable', 'endpoint unreachable']);
    reset();
    await clock.advance(10_000);
    expect([servers.host.sentMs, servers.endpoint.sentMs]).toEqual([[], []]);
  });

  test('looks once where one DNS server fails, and tells others of it', async () => {
    const { clock, servers, probeSoon, told } = await createNode();
    servers.host.failServer(1);
    probeSoon.host();
    await clock.advance(5000);
    expect(told).toEqual(['host 1 failure']);
    expect(servers.endpoint.sentMs).toHaveLength(1);
    servers.host.failServer();
    await clock.advance(1);
    expect(told).toEqual(['host 1 failure', 'host 1 recovery']);
  });
});

describe('the endpoint of a node', () => {
  test('is asked every two seconds, and twice a second while it is in doubt', async () => {
    const { clock, servers, probeSoon, askedMs, told } = await createNode();
    await clock.advance(20_000);
    expect(askedMs.length).toBeGreaterThanOrEqual(9);
    expect(askedMs.length).toBeLessThanOrEqual(11);
    // The look fails for the first time after a second: half a second before the endpoint is asked next.
    const sinceMs = clock.nowMs() - (askedMs.at(-1) ?? 0);
    await clock.advance(2500 - sinceMs);
    askedMs.length = 0;
    servers.endpoint.isSilent = true;
    probeSoon.endpoint();
    await clock.advance(2600);
    expect(told).toEqual(['endpoint unreachable']);
    const gaps = askedMs.slice(1).map((ms, at) => ms - (askedMs[at] ?? 0));
    expect(gaps).toEqual([500]);
  });

  test('is asked at once to look, and then until the result is there', async () => {
    const { clock, servers, probeSoon, askedMs } = await createNode();
    servers.host.isSilent = true;
    probeSoon.host();
    await clock.advance(2000);
    const [changedMs] = [clock.nowMs()];
    askedMs.length = 0;
    await clock.advance(100);
    expect(servers.endpoint.sentMs.length).toBe(1);
    await clock.advance(3900);
    const hurried = askedMs.filter((ms) => ms > changedMs);
    expect(hurried.length).toBeGreaterThanOrEqual(6);
    expect(hurried.length).toBeLessThanOrEqual(10);
  });
});

test('hints of DNS servers that a target cannot have are about nothing that is known', async () => {
  const { planes } = await createNode();
  const dns = (servers: readonly string[]) =>
    ({ kind: 'dns', dns: { query: 'intranet.example', type: 'A', servers, expect: [] } }) as const;
  const listed = tcpTarget('listed', { probe: dns(['192.0.2.53', '192.0.2.54']) });
  planes.monitor.setTargets([target, listed, tcpTarget('of-the-host', { probe: dns([]) })]);
  const isKnown = (name: string, server?: number) =>
    planes.probing.isKnown({
      target: name,
      digest: target.digest,
      plane: 'host',
      ...(server !== undefined && { server }),
    });
  expect(isKnown('database')).toBe(true);
  expect([0, 1, 2, 99].map((server) => isKnown('listed', server))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  // A resolver reads no more than eight here.
  expect([7, 8].map((server) => isKnown('of-the-host', server))).toEqual([true, false]);
  expect(isKnown('database', 0)).toBe(false);
});
