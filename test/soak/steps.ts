import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../fuzz/random.js';
import { writeNodesFile } from '../lab/lib/agents.js';
import { losing, type LabFault } from '../lab/lib/fault-kinds.js';
import { together, type Repair } from '../lab/lib/faults.js';
import type { Host } from '../lab/lib/plan.js';
import type { Mesh } from '../lab/lib/start-mesh.js';
import { chooseTwoFaults } from '../lab/lib/two-faults.js';

/** Something that happens to the cluster, lasts for a while, and is put right again. */
export interface Step {
  readonly what: string;
  readonly lastsMs: number;
  /** How long nothing happens after it. */
  readonly restMs: number;
  /** How long its finding may stay open after the repair; 0 for a short time. */
  readonly closesMs: number;
  begin(mesh: Mesh): Promise<Repair>;
}

type Chosen = Pick<Step, 'what' | 'begin'> & Partial<Pick<Step, 'closesMs'>>;
type Choose = (hosts: readonly Host[], random: Random) => Chosen;

const shortestMs = 15_000;
const lossPercent = 30;
/** Losses count for ten minutes. */
const lossClosesMs = 10 * 60_000;

const oneFault: Choose = (hosts, random) => faultsOf(chooseTwoFaults(hosts, random).slice(0, 1));
const twoFaults: Choose = (hosts, random) => faultsOf(chooseTwoFaults(hosts, random));
const loss: Choose = (hosts, random) => ({
  ...faultsOf([losing(random.pick(hosts).name, lossPercent)]),
  closesMs: lossClosesMs,
});

const restart: Choose = (hosts, random) => {
  const host = random.pick(hosts);
  return {
    what: `the agent of ${host.name} is restarted`,
    async begin({ agents }) {
      await agents.restart(host);
      return () => Promise.resolve();
    },
  };
};

const listChange: Choose = (hosts, random) => {
  const gone = random.pick(hosts);
  return {
    what: `${gone.name} is not in the node list`,
    async begin({ lab }) {
      await list(
        hosts.filter((host) => host !== gone),
        lab.folder,
      );
      return () => list(hosts, lab.folder);
    },
  };
};

/** Each kind comes once before any comes again. */
const deck: readonly Choose[] = [oneFault, listChange, twoFaults, restart, oneFault, loss];

/** Chooses steps without end. The same random numbers give the same steps. */
export function* chooseSteps(hosts: readonly Host[], random: Random): Generator<Step, never> {
  for (;;) {
    const left = [...deck];
    while (left.length > 0) {
      const choose = random.pick(left);
      left.splice(left.indexOf(choose), 1);
      const [lastsMs, restMs] = [atLeast(2), atLeast(1)];
      yield { closesMs: 0, ...choose(hosts, random), lastsMs, restMs };
    }
  }

  function atLeast(factor: number): number {
    return Math.round(shortestMs * (1 + factor * random.next()));
  }
}

function faultsOf(faults: readonly LabFault[]): Chosen {
  return {
    what: faults.map(({ what }) => what).join(', '),
    begin: async (mesh) => together(await Promise.all(faults.map((fault) => mesh.make(fault)))),
  };
}

/** Changes the node list at once, so that no agent reads half of it. */
async function list(hosts: readonly Host[], folder: string): Promise<void> {
  const { 'nodes-file': path = '' } = await writeNodesFile(hosts, folder, 'next-nodes.yaml');
  await rename(path, join(folder, 'nodes.yaml'));
}
