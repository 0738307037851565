import { expect, test, vi } from 'vitest';
import type { Findings } from '../../api/schema/v1/findings.js';
import type { NodeEntry } from '../../api/schema/v1/nodes.js';
import { ask, healthzOf, useAgentBench } from './lib/agent-process.js';
import { buildSkewedClock, whyNoSkew } from './lib/skewed-clock.js';

const missing = whyNoSkew();
const bench = useAgentBench();

const polling = { timeout: 50_000, interval: 250 };
const name = (index: number) => `n${index + 1}`;
const ip = (index: number) => `127.0.9.${index + 1}`;

/** Real agents, each with a clock that is so many seconds ahead. Returns their sockets. */
function startAgents(skewsSeconds: readonly number[]): readonly string[] {
  const skewed = buildSkewedClock(bench.folder);
  const nodes = skewsSeconds.map((_, index) => ({ name: name(index), host: ip(index) }));
  // The kernel stamps echoes by its own clock.
  const more = ['--icmp-engine', 'off', '--http-interval', '1s'];
  return skewsSeconds.map((seconds, index) => {
    const env = seconds === 0 ? {} : skewed(seconds);
    const node = { name: name(index), listen: [ip(index)] };
    return bench.startNode({ ...node, nodes, more, env }).socketPath;
  });
}

/** The signs of the clock that an agent tells of each node. */
async function clockSigns(socket: string, count: number): Promise<string[]> {
  const told = Array.from({ length: count }, async (_, index) => {
    const { body } = await ask(socket, `/v1/nodes/${name(index)}`);
    const { signs = [] } = body as NodeEntry;
    return signs
      .filter(({ sign }) => sign === 'clock-offset')
      .map(({ text, plane, limit }) => `${name(index)} (${plane}): ${text}, limit ${limit}`);
  });
  return (await Promise.all(told)).flat();
}

test('a clock that is off is a sign of its host alone, and from a minute on a finding, as all agents say', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const sockets = startAgents([0, -75, 0, 0]);
  for (const socket of sockets) {
    await vi.waitFor(async () => {
      const told = await clockSigns(socket, sockets.length);
      expect(told).toHaveLength(1);
      expect(told[0]).toMatch(
        /^n2 \(host\): its clock is 7[45],\d\d\d ms behind those of its peers \(median\), limit 500$/,
      );
    }, polling);
    await vi.waitFor(async () => {
      const { findings } = (await ask(socket, '/v1/findings')).body as Findings;
      const found = findings.find(({ id }) => id === 'host-sign:clock-offset:default/n2');
      expect(found).toMatchObject({ severity: 'degraded', sign: 'clock-offset' });
      expect(found?.next).toEqual([
        `ssh ${ip(1)} timedatectl`,
        `ssh ${ip(1)} chronyc tracking`,
        'meshprobe node n2',
      ]);
    }, polling);
  }
  for (const [index, socket] of sockets.entries()) {
    expect(await clockSigns(socket, sockets.length), name(index)).toHaveLength(1);
    expect(JSON.stringify((await healthzOf(socket))['missing-signs'] ?? [])).not.toContain(
      'clock-offset',
    );
  }
});

test('where half of the clocks differ from the other half, nobody claims to know, and each says so', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const sockets = startAgents([0, 3, 0, 3]);
  for (const socket of sockets) {
    await vi.waitFor(async () => {
      const told = (await healthzOf(socket))['missing-signs'] ?? [];
      expect(told.find(({ signs }) => signs.includes('clock-offset'))?.because).toBe(
        'the clocks of 3 other agents and this one differ, and no majority says which are right',
      );
    }, polling);
    expect(await clockSigns(socket, sockets.length)).toEqual([]);
  }
});
