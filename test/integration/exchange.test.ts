import { describe, expect, test, vi } from 'vitest';
import { decodeMatrix } from '../../api/schema/v1/matrix-cells.js';
import { nodeMatrixSchema } from '../../api/schema/v1/matrix.js';
import { ask, healthzOf, useAgentBench } from './lib/agent-process.js';

const bench = useAgentBench();

const polling = { timeout: 40_000, interval: 100 };
const node = (n: number) => ({ name: `n${n}`, host: `127.0.8.${n}` });
const intervals = ['--icmp-interval', '200ms', '--http-interval', '500ms'];

function start(n: number, nodes: readonly object[], more: readonly string[] = []) {
  const listen = [`127.0.8.${n}`];
  const all = [...intervals, ...more];
  return bench.startNode({ name: `n${n}`, nodes, listen, more: all });
}

/** Asks an agent for its HTTP matrix of the host plane. */
async function matrixOf(socketPath: string) {
  const path = '/v1/matrix?by=node&plane=host&protocol=http';
  const matrix = nodeMatrixSchema.parse((await ask(socketPath, path)).body);
  return { ...matrix, ...decodeMatrix(matrix) };
}

describe('the matrix by node of real agents', () => {
  test('shows the whole rows of peers after it is requested, and keeps them fresh', async () => {
    const nodes = [1, 2, 3].map(node);
    const [first] = [start(1, nodes), start(2, nodes), start(3, nodes)];
    const fresh = async () => (await healthzOf(first.socketPath)).exchange?.observers.fresh;
    await vi.waitFor(async () => expect(await fresh()).toBe(2), polling);
    const rtts = async () => [...(await matrixOf(first.socketPath)).rtts];

    // Compact rows have no RTTs. Only the agent's own row has RTTs until peers send whole rows.
    expect((await rtts()).slice(3)).toEqual([0, 0, 0, 0, 0, 0]);
    await vi.waitFor(
      async () => expect((await rtts()).every((rtt) => rtt > 0)).toBe(true),
      polling,
    );
    // On a busy machine a path may be unknown for a moment: its interval here is a fraction of a second.
    await vi.waitFor(async () => {
      const { states } = await matrixOf(first.socketPath);
      expect([...states]).toEqual(Array<number>(9).fill(2));
    }, polling);
    const { ages } = await matrixOf(first.socketPath);
    expect(ages).toHaveLength(3);
    const before = (await healthzOf(first.socketPath)).exchange?.messages;
    expect(before).toMatchObject({ malformed: 0, unauthenticated: 0, source: 0 });

    // The age falls only if another whole row has arrived.
    const peerAge = async () => (await matrixOf(first.socketPath)).ages[1] ?? Infinity;
    let highest = await peerAge();
    await vi.waitFor(async () => {
      const age = await peerAge();
      const fell = age < highest;
      highest = Math.max(highest, age);
      expect(fell).toBe(true);
    }, polling);
  });

  test('shows the rows of peers even if their node lists differ', async () => {
    const first = start(1, [1, 2, 3].map(node));
    start(2, [1, 2, 4].map(node));
    const row = async () => [...(await matrixOf(first.socketPath)).states].slice(3, 6);
    // The second agent knows nothing about the third node.
    await vi.waitFor(async () => expect(await row()).toEqual([2, 2, 0]), polling);
  });
});

describe('an agent with a mesh key and one without', () => {
  test('say so of each other, as their rows never come', async () => {
    const nodes = [1, 2].map(node);
    const keyFile = bench.file('mesh-key', 'a secret of all agents');
    const keyed = start(1, nodes, ['--mesh-key-file', keyFile]);
    const keyless = start(2, nodes);
    const problems = async ({ socketPath }: { readonly socketPath: string }) =>
      (await healthzOf(socketPath)).problems;
    await vi.waitFor(async () => {
      expect(await problems(keyed)).toContainEqual(
        expect.stringMatching(/^default\/n2 has another mesh key, or none: .*--mesh-key-file/),
      );
      expect(await problems(keyless)).toContainEqual(
        expect.stringMatching(
          /^default\/n1 has a mesh key and this agent has none: .*--mesh-key-file/,
        ),
      );
    }, polling);
  });
});
