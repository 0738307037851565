import { existsSync, rmSync } from 'node:fs';
import { run } from '../../lab/lib/command.js';
import { processesInCgroups, removeCgroups } from './cgroups.js';
import { endProcesses } from './end.js';
import { allNodes, control, fabric, stateFolder } from './place.js';
import { until } from './spawn.js';

const namespaces = [control, fabric, ...allNodes.map(({ namespace }) => namespace)];

/**
 * Ends a cluster, whoever started it and however far it came: processes, and with them mounts; namespaces, cgroups and
 * files.
 * @returns whether there was anything
 */
export async function endCluster(): Promise<boolean> {
  const there = namespaces.filter((name) => existsSync(`/run/netns/${name}`));
  const wasThere = there.length > 0 || existsSync(stateFolder);
  await endProcesses(there, () => processesInCgroups());
  for (const name of there) await run('ip', ['netns', 'del', name]);
  await until('all cgroups are removed', 120_000, () => removeCgroups() === 0);
  rmSync(stateFolder, { recursive: true, force: true });
  return wasThere;
}
