import { afterAll, describe, expect, test } from 'vitest';
import { Random } from '../fuzz/random.js';
import { nothing, waitForFindings } from './lib/findings.js';
import { defaults, threeZones } from './lib/meshes.js';
import { useMesh } from './lib/mesh.js';
import { printRound, printRounds } from './lib/print-rounds.js';
import { runRound, type Round } from './lib/two-fault-round.js';
import { chooseTwoFaults } from './lib/two-faults.js';
import { waitUntilSettled } from './lib/wait-until-settled.js';

const seed = wholeNumber('LAB_SEED', 1);
const count = wholeNumber('LAB_ROUNDS', 3);
const options = { hosts: 12, family: 4, zones: threeZones, settings: defaults } as const;
const hosts = Array.from({ length: options.hosts }, (_, at) => ({
  name: `n${at + 1}`,
  zone: threeZones[at % threeZones.length],
}));

// Each round has two faults at once, of seeds from LAB_SEED on. LAB_REPORTS is the folder for reports of
// agents that were wrong; npm run sim -- replay says what the present code makes of them.
describe('twelve hosts in three zones, of which two have a fault', () => {
  const mesh = useMesh(options);
  const rounds: Round[] = [];

  afterAll(() => {
    if (rounds.length > 0) console.log(printRounds(rounds));
  });

  for (let at = seed; at < seed + count; at++) {
    const faults = chooseTwoFaults(hosts, new Random(at));
    const title = `seed ${at}: ${faults.map(({ what }) => what).join(' + ')}`;
    test(
      title,
      async () => {
        const { agents, lab } = mesh();
        await waitForFindings(agents, lab.hosts, nothing, 180_000);
        await waitUntilSettled(mesh());
        const round = await runRound(mesh(), faults, `seed${at}`);
        rounds.push(round);
        console.log(`seed ${at}: ${printRound(round)}`);
        const wrong = round.watches.flatMap(({ wrongAtRepair }) => wrongAtRepair ?? []);
        expect.soft(wrong).toEqual([]);
        await waitForFindings(agents, lab.hosts, nothing, 240_000);
      },
      1_000_000,
    );
  }
});

function wholeNumber(variable: string, standard: number): number {
  const text = process.env[variable] ?? String(standard);
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new RangeError(
    `${variable}: expected a whole number from 1 on, got ${JSON.stringify(text)}`,
  );
}
