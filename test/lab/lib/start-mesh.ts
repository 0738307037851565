import type { Agents, Settings } from './agents.js';
import { reachableSince } from './checks.js';
import type { Repair } from './faults.js';
import type { LabFault } from './fault-kinds.js';
import { createLab, type Lab, type LabOptions } from './lab.js';
import { waitFor } from './wait-for.js';

export interface MeshOptions extends LabOptions {
  /** The settings of all agents, by the names of their flags. */
  readonly settings?: Settings;
  /** Builds what the agents need beside their network. It returns further settings, and how to stop it. */
  readonly prepare?: (lab: Lab) => Promise<Prepared>;
}

/** What was built for the agents of a mesh. */
export interface Prepared {
  readonly settings: Settings;
  readonly stop: () => Promise<void>;
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

/** The agents of a mesh must reach each other within this time. */
export const startDeadlineMs = 180_000;
/** Many agents that start need the processor more than a quick look at them. */
const startPollMs = 500;

/**
 * Starts a lab with one agent on each host, and waits until every agent reaches every host.
 * @param signal ends the wait
 * @throws Error if that takes too long, or if the wait was ended; then nothing of it is left
 */
export async function startMesh(
  { settings, prepare, ...options }: MeshOptions,
  signal?: AbortSignal,
): Promise<Mesh> {
  const lab = await createLab(options);
  let prepared: Prepared | undefined;
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
      await prepared?.stop();
      await lab.close();
    }
  }

  try {
    prepared = await prepare?.(lab);
    agents = await lab.startAgents({ ...settings, ...prepared?.settings });
    await waitFor(agents, reachableSince(0), startDeadlineMs, startPollMs, signal);
  } catch (error) {
    if (agents && !signal?.aborted) console.error(agents.logs());
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
