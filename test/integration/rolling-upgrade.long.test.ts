import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { decodeMatrix } from '../../api/schema/v1/matrix-cells.js';
import { nodeMatrixSchema } from '../../api/schema/v1/matrix.js';
import { ask, healthzOf, useAgentBench } from './lib/agent-process.js';
import { buildOldAgent, isInHistory, type OldAgent } from './lib/old-agent.js';

/** How rows are kept and read has changed since, and not what they say on the wire. */
const oldCommit = '6f799131c1bbf09dd51ff966c8bea6f8e9d0376e';

const bench = useAgentBench();

const polling = { timeout: 60_000, interval: 200 };
const numbers = [1, 2, 3, 4];
/** Nobody answers GETs at the last one. */
const nodes = numbers.map((n) => ({ name: `n${n}`, host: `127.0.9.${n}` }));
const matrixPath = '/v1/matrix?by=node&plane=host&protocol=http';

function start(n: number, program?: string) {
  const more = ['--icmp-interval', '200ms', '--http-interval', '500ms'];
  return bench.startNode({ name: `n${n}`, nodes, listen: [`127.0.9.${n}`], more, program });
}

describe('agents of an older commit and of this one in one mesh', () => {
  const canBuild = isInHistory(oldCommit);
  let old: OldAgent | undefined;

  beforeAll(() => {
    if (canBuild) old = buildOldAgent(oldCommit);
  }, 180_000);

  afterAll(() => old?.remove());

  test.each([
    ['one is new', [2, 3]],
    ['one is old', [3]],
  ])('understand each other, where %s', { timeout: 180_000 }, async (_, olds) => {
    const agents = [1, 2, 3].map((n) => start(n, olds.includes(n) ? old?.program : undefined));
    for (const { socketPath, agent } of agents) {
      // The row of each agent says of each node whether it answers, to the old and the new ones alike.
      await vi.waitFor(async () => {
        const matrix = nodeMatrixSchema.parse((await ask(socketPath, matrixPath)).body);
        const states = [...decodeMatrix(matrix).states];
        const told = [0, 1, 2].map((row) => states.slice(4 * row, 4 * row + 4));
        expect(told, agent.errors).toEqual([1, 2, 3].map(() => [2, 2, 2, 4]));
      }, polling);
    }
    for (const { socketPath } of agents) {
      expect((await healthzOf(socketPath)).exchange).toMatchObject({
        observers: { fresh: 2, stale: 0, silent: 1 },
        messages: { malformed: 0, unauthenticated: 0, source: 0 },
      });
    }
  });

  beforeEach(({ skip }) => {
    if (!canBuild) skip(`the history of this checkout does not have the commit ${oldCommit}`);
  });
});
