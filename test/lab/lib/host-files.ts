import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lab } from './lab.js';
import { namespaceFiles } from './leftovers.js';
import type { Host } from './plan.js';
import type { Prepared } from './start-mesh.js';

const folderOf = ({ namespace }: Host): string => join(namespaceFiles, namespace);

/** What the agent of a host reads as `/etc/resolv.conf`. It has to be changed in place. */
export const nameserversFile = (host: Host): string => join(folderOf(host), 'resolv.conf');

/** Gives each host nameservers of its own, before its agent is started. */
export async function ownNameservers({ hosts }: Lab): Promise<Prepared> {
  for (const host of hosts) {
    await mkdir(folderOf(host), { recursive: true });
    await writeFile(nameserversFile(host), 'nameserver 192.0.2.53\n');
  }
  const stop = async () => {
    for (const host of hosts) await rm(folderOf(host), { recursive: true, force: true });
  };
  return { settings: {}, stop };
}
