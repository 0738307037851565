import { afterAll, describe, expect, test } from 'vitest';
import * as kinds from './lib/fault-kinds.js';
import type { LabFault } from './lib/fault-kinds.js';
import { nothing, waitForFindings } from './lib/findings.js';
import { defaults, threeZones } from './lib/meshes.js';
import { useMesh } from './lib/mesh.js';
import { printRound, printRounds } from './lib/print-rounds.js';
import { runRound, type Round } from './lib/two-fault-round.js';
import { waitUntilSettled } from './lib/wait-until-settled.js';

/** They cut across zones, which take hosts in turn: three hosts have each rack, one in each zone. */
const labelsOf = (number: number) => ({
  rack: `r${(number - 1) % 4}`,
  kernel: number % 5 === 0 ? '6.8.0-45' : '6.8.0-31',
});
const hosts = Array.from({ length: 12 }, (_, at) => ({
  name: `n${at + 1}`,
  labels: labelsOf(at + 1),
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

// LAB_REPORTS is the folder for reports of agents that were wrong; npm run sim -- replay says what the present code
// makes of them.
describe('twelve hosts in three zones, with a cut between two values of a label that cuts across them', () => {
  const mesh = useMesh({
    hosts: hosts.length,
    family: 4,
    zones: threeZones,
    labelsOf,
    settings: defaults,
  });
  const results: Round[] = [];

  afterAll(() => {
    if (results.length > 0) console.log(printRounds(results));
  });

  for (const [at, faults] of rounds.entries()) {
    const title = faults.map(({ what }) => what).join(' + ');
    test(`all agents say it as one finding, and nothing after the repair: ${title}`, async () => {
      const { agents, lab } = mesh();
      await waitForFindings(agents, lab.hosts, nothing, 180_000);
      await waitUntilSettled(mesh());
      const round = await runRound(mesh(), faults, `cut${at + 1}`);
      results.push(round);
      console.log(printRound(round));
      const wrong = round.watches.flatMap(({ wrongAtRepair }) => wrongAtRepair ?? []);
      expect.soft(wrong).toEqual([]);
      await waitForFindings(agents, lab.hosts, nothing, 240_000);
    }, 1_000_000);
  }
});
