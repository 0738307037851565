import { readFileSync } from 'node:fs';

/** How many files this process may have open (RLIMIT_NOFILE); Infinity if the system does not tell. */
export function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
