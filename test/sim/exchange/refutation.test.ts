import { expect, test } from 'vitest';
import { nodeKinds } from '../../faults/node-kinds.js';
import { layoutOf } from '../diagnosis/scenarios/random-layout.js';
import { defaultCadence } from '../lib/default-cadence.js';
import { Simulation } from '../lib/simulation.js';

const agents = 30;
const node = 7;
const layout = layoutOf(agents, 3, (of) => of % 3);

/** How many GETs of a node reach the hosts of the others in some seconds. */
function countGets(simulation: Simulation, of: number, seconds: number): number {
  let gets = 0;
  simulation.network.onArrival = ({ from, plane, protocol }) => {
    if (from === of && plane === 'host' && protocol === 'http') gets++;
  };
  simulation.run(1000 * seconds);
  return gets;
}

test('an agent that no GET reaches sends its peers more of its own, and no agent does so in a cluster that is well', () => {
  const simulation = new Simulation({
    seed: 1,
    agents,
    mesh: true,
    cadences: defaultCadence,
    loss: 0,
  });
  simulation.run(10_000);
  const before = countGets(simulation, node, 6);
  // Each other agent gets one in five seconds.
  expect(before).toBeLessThan(1.5 * agents);
  simulation.network.begin(nodeKinds.requestsTo.make(layout, { type: 'node', node }, 0).trouble);
  const after = countGets(simulation, node, 6);
  expect(after).toBeGreaterThan(before + 2.5 * (agents - 1));
  // Four seconds of one GET a second to each, and looks at those that say that they do not reach it.
  expect(after).toBeLessThan(before + 5 * agents);
  simulation.stop();
});
