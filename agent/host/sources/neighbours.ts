import { join } from 'node:path';
import type { HostSource, Measure } from '../measure.js';
import { hexOf, wholeOf, wordsOf } from '../numbers.js';
import { readKernelFile } from '../read-file.js';

const families = [
  { cache: 'arp_cache', folder: 'ipv4', about: 'ipv4' },
  { cache: 'ndisc_cache', folder: 'ipv6', about: 'ipv6' },
] as const;

/**
 * The tables of neighbours, of which there are two on a host, whatever network namespaces it has. Only the first namespace shows
 * them: a container in one of its own does not. Source: the kernel's Documentation/networking/ip-sysctl.rst.
 */
export function neighboursSource(proc: string): HostSource {
  return {
    signs: ['neighbours-full'],
    files: '/proc/net/stat/arp_cache and /proc/sys/net/ipv4/neigh/default/gc_thresh3',
    async read() {
      const measures = await Promise.all(
        families.map(async ({ cache, folder, about }): Promise<Measure[]> => {
          const [stat, most] = await Promise.all([
            readKernelFile(join(proc, 'net/stat', cache)),
            readKernelFile(join(proc, 'sys/net', folder, 'neigh/default/gc_thresh3'), 64),
          ]);
          const [value, limit] = [neighbourEntries(stat), wholeOf(most)];
          return value === undefined || !limit
            ? []
            : [{ sign: 'neighbours-full', about, value, limit }];
        }),
      );
      return measures.flat();
    },
  };
}

/** How many entries the table has: each processor's line says the same. */
export function neighbourEntries(stat: string | undefined): number | undefined {
  const [header, first] = (stat ?? '').split('\n');
  const column = wordsOf(header).indexOf('entries');
  return column === -1 ? undefined : hexOf(wordsOf(first)[column]);
}
