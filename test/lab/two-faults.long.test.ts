import { describe } from 'vitest';
import { Random } from '../fuzz/random.js';
import { twelveHosts } from './lib/meshes.js';
import { useMesh } from './lib/mesh.js';
import { testRounds } from './lib/rounds-test.js';
import { chooseTwoFaults } from './lib/two-faults.js';

const firstSeed = wholeNumber('LAB_SEED', 1);
const count = wholeNumber('LAB_ROUNDS', 3);
const { hosts, options } = twelveHosts();

// Each round has two faults at once, of seeds from LAB_SEED on.
describe('twelve hosts in three zones, of which two have a fault', () => {
  testRounds(
    useMesh(options),
    Array.from({ length: count }, (_, at) => {
      const seed = firstSeed + at;
      const faults = chooseTwoFaults(hosts, new Random(seed));
      const title = `seed ${seed}: ${faults.map(({ what }) => what).join(' + ')}`;
      return { title, name: `seed${seed}`, faults };
    }),
  );
});

function wholeNumber(variable: string, standard: number): number {
  const text = process.env[variable] ?? String(standard);
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new RangeError(
    `${variable}: expected a whole number from 1 on, got ${JSON.stringify(text)}`,
  );
}
