import { afterEach, beforeAll, beforeEach, onTestFailed } from 'vitest';
import type { Agents, Settings } from './agents.js';
import { reachableSince } from './checks.js';
import type { Repair } from './faults.js';
import type { LabFault } from './fault-kinds.js';
import { createLab, type Lab, type LabOptions } from './lab.js';
import { missingFor } from './requirements.js';
import { waitFor } from './wait-for.js';

export interface MeshOptions extends LabOptions {
  /** The settings of all agents, by the names of their flags. */
  readonly settings?: Settings;
}

/** A lab with one agent on each host. */
export interface Mesh {
  readonly lab: Lab;
  readonly agents: Agents;
  /** Makes a fault. It lasts until its repair, which may be called more than once. */
  make(fault: LabFault): Promise<Repair>;
  /** Repairs all faults that still last, the newest first. */
  repairAll(): Promise<void>;
  /** Repairs all faults, stops all agents and removes the lab. */
  close(): Promise<void>;
}

const startDeadlineMs = 180_000;
/** Many agents that start need the processor more than a quick look at them. */
const startPollMs = 500;

/**
 * Starts a lab with one agent on each host, and waits until every agent reaches every host.
 * @throws Error if that takes too long; then nothing of it is left
 */
export async function startMesh({ settings, ...options }: MeshOptions): Promise<Mesh> {
  const lab = await createLab(options);
  const lasting = new Set<Repair>();
  let agents: Agents | undefined;

  async function repairAll(): Promise<void> {
    for (const repair of [...lasting].reverse()) await repair();
  }

  async function close(): Promise<void> {
    try {
      await repairAll();
      await agents?.stop();
    } finally {
      await lab.close();
    }
  }

  try {
    agents = await lab.startAgents(settings);
    await waitFor(agents, reachableSince(0), startDeadlineMs, startPollMs);
  } catch (error) {
    if (agents) console.error(agents.logs());
    await close();
    throw error;
  }
  const mesh: Mesh = {
    lab,
    agents,
    async make(fault) {
      const undo = await fault.make(mesh);
      const repair = async () => {
        if (lasting.delete(repair)) await undo();
      };
      lasting.add(repair);
      return repair;
    },
    repairAll,
    close,
  };
  return mesh;
}

/**
 * Starts one mesh for all tests of a file or of a `describe`. It is closed after them. What a test
 * has made is repaired after it. The tests are skipped with the reason where no lab can run. A test
 * that fails prints the logs of the agents.
 * @param missing the reason why the tests of this mesh cannot run here
 * @returns the mesh, for use inside tests
 */
export function useMesh(
  options: MeshOptions,
  missing: string | undefined = missingFor(options.family),
): () => Mesh {
  let mesh: Mesh | undefined;
  beforeAll(async () => {
    if (missing !== undefined) return;
    mesh = await startMesh(options);
    return () => mesh?.close();
  }, 2 * startDeadlineMs);
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
    onTestFailed(() => console.error(mesh?.agents.logs()));
  });
  afterEach(() => mesh?.repairAll());
  return () => {
    if (!mesh) throw new Error('expected to be called inside a test');
    return mesh;
  };
}
