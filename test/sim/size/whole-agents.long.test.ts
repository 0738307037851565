import { describe, it } from 'vitest';
import { expectSameOfWholeAgents } from './whole-agents.js';

describe('rows that are generated', () => {
  it('lead to the findings of whole agents: requests of a node filtered, one cut off, an endpoint filtered', async () => {
    await expectSameOfWholeAgents(3, { nodes: 60 });
  }, 900_000);

  it('lead to the findings of whole agents: two zones that are cut, and a node without a tunnel', async () => {
    await expectSameOfWholeAgents(1, { nodes: 60, family: 'large' });
  }, 900_000);
});
