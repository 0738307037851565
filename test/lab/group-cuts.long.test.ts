import { describe } from 'vitest';
import * as kinds from './lib/fault-kinds.js';
import type { LabFault } from './lib/fault-kinds.js';
import { twelveHosts } from './lib/meshes.js';
import { useMesh } from './lib/mesh.js';
import { testRounds } from './lib/rounds-test.js';

/** They cut across zones, which take hosts in turn: three hosts have each rack, one in each zone. */
const { hosts, options } = twelveHosts((number) => ({
  rack: `r${(number - 1) % 4}`,
  kernel: number % 5 === 0 ? '6.8.0-45' : '6.8.0-31',
}));
const racksCut = (first: number, second: number, cut: kinds.GroupCut) =>
  kinds.groupsCut(hosts, 'rack', [`r${first}`, `r${second}`], cut);

const rounds: readonly (readonly LabFault[])[] = [
  [racksCut(0, 2, 'all')],
  [racksCut(1, 2, 'overlay')],
  [racksCut(3, 0, 'requests')],
  [racksCut(1, 3, 'all'), kinds.echoesDropped('n5')],
  [racksCut(2, 3, 'overlay'), kinds.nodeIpCut('n2')],
];

describe('twelve hosts in three zones, with a cut between two values of a label that cuts across them', () => {
  testRounds(
    useMesh(options),
    rounds.map((faults, at) => ({
      title: `all agents say it as one finding, and nothing after the repair: ${faults.map(({ what }) => what).join(' + ')}`,
      name: `cut${at + 1}`,
      faults,
    })),
  );
});
