import { describe, it } from 'vitest';
import { expectSameOfWholeAgents } from './whole-agents.js';

describe('rows that are generated', () => {
  // In a file of its own, so that it runs beside the smaller ones.
  it('lead to the findings of 200 whole agents: two endpoints without requests, and a node without an agent', async () => {
    await expectSameOfWholeAgents(8, { nodes: 200 });
  }, 1_800_000);
});
