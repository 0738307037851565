import { expect, test } from 'vitest';
import { ApiError } from '../../../../api/client/api-error.js';
import type { Client } from '../../../../api/client/client.js';
import { eventsTool } from '../../../../cli/mcp/tools/events.js';

const finding = {
  type: 'finding',
  at: '2026-01-01T00:00:00.000Z',
  change: 'opened',
  severity: 'broken',
  text: '',
};
const events = [
  { ...finding, id: 1, finding: 'pair:c/n3,c/n7', kind: 'pair', pair: ['c/n3', 'c/n7'] },
  { ...finding, id: 2, finding: 'node:many', kind: 'node-down', count: 20, examples: ['c/n7'] },
  { ...finding, id: 3, finding: 'zones:a', kind: 'zones', zones: ['a'] },
  { ...finding, id: 4, finding: 'node:c/n3', kind: 'node-down', node: 'c/n3' },
];

/** The numbers of the events of a node that a client knows by this. */
async function eventsOf(name: string, node: Client['node']): Promise<unknown> {
  const client: Partial<Record<keyof Client, unknown>> = {
    summary: () => Promise.resolve({ node: 'c/n1' }),
    node,
    async *events() {
      await Promise.resolve();
      for (const event of events) yield { event };
    },
  };
  const answer = await eventsTool.run({ node: name }, client as unknown as Client);
  return (answer as { events: readonly { id: number }[] }).events.map(({ id }) => id);
}

test('the events of a node are those of its pairs, its zone, and of many too', async () => {
  const known = { name: 'c/n7', zone: 'a' } as Awaited<ReturnType<Client['node']>>;
  expect(await eventsOf('n7', () => Promise.resolve(known))).toEqual([3, 2, 1]);
});

test('a node that has left the list still has events', async () => {
  const unknown = new ApiError('status', 'HTTP 404', {
    statusCode: 404,
    words: 'there is no node c/n7',
  });
  expect(await eventsOf('n7', () => Promise.reject(unknown))).toEqual([2, 1]);
});
