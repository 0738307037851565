import { afterAll, expect, test } from 'vitest';
import type { LabFault } from './fault-kinds.js';
import { nothing, waitForFindings } from './findings.js';
import { printRound, printRounds } from './print-rounds.js';
import type { Mesh } from './start-mesh.js';
import { runRound, type Round } from './two-fault-round.js';
import { waitUntilSettled } from './wait-until-settled.js';

export interface RoundTest {
  readonly title: string;
  /** Short: it is in the names of reports. */
  readonly name: string;
  /** They are made at once. */
  readonly faults: readonly LabFault[];
}

/**
 * One test for each round, in which all agents are to say exactly its faults, and nothing after the repair. What each
 * said is printed, and at the end the figures of all rounds. `LAB_REPORTS` is the folder for reports of agents that
 * were wrong; `npm run sim -- replay` says what the present code makes of them.
 */
export function testRounds(mesh: () => Mesh, rounds: readonly RoundTest[]): void {
  const results: Round[] = [];

  afterAll(() => {
    if (results.length > 0) console.log(printRounds(results));
  });

  for (const { title, name, faults } of rounds) {
    test(
      title,
      async () => {
        const { agents, lab } = mesh();
        await waitForFindings(agents, lab.hosts, nothing, 180_000);
        await waitUntilSettled(mesh());
        const round = await runRound(mesh(), faults, name);
        results.push(round);
        console.log(`${name}: ${printRound(round)}`);
        const wrong = round.watches.flatMap(({ wrongAtRepair }) => wrongAtRepair ?? []);
        expect.soft(wrong).toEqual([]);
        await waitForFindings(agents, lab.hosts, nothing, 240_000);
      },
      1_000_000,
    );
  }
}
