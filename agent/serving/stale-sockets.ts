import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The names under which sockets are bound before they get their own (see unix-socket.ts). */
const temporaryName = /^\.[0-9a-f]{10}~?$/;

/** Another agent may be between binding its socket and naming it. */
const startTakesMs = 60_000;

/**
 * Removes the sockets that killed agents left in a folder while they were starting. What cannot be
 * removed stays: it disturbs nothing.
 */
export async function removeStaleSockets(
  folder: string,
  isStale: (path: string) => Promise<boolean>,
): Promise<void> {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (!there?.isSocket() || Date.now() - there.mtimeMs < startTakesMs) continue;
    if (!(await isStale(path))) continue;
    try {
      unlinkSync(path);
    } catch {
      // Another agent was faster, or this process may not remove it.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => temporaryName.test(name));
  } catch {
    return [];
  }
}
