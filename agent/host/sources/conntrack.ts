import { join } from 'node:path';
import type { HostSource, Measure } from '../measure.js';
import { hexOf, sumOf, wholeOf, wordsOf } from '../numbers.js';
import { readKernelFile } from '../read-file.js';

/**
 * The table of connections of a network namespace: how full it is, and what was dropped because it had no room or could
 * not take an entry. Source: the kernel's Documentation/networking/nf_conntrack-sysctl.rst.
 */
export function conntrackSource(proc: string): HostSource {
  const file = (name: string) => readKernelFile(join(proc, name));
  return {
    signs: ['conntrack-full', 'conntrack-drops'],
    files: '/proc/sys/net/netfilter/nf_conntrack_count and /proc/net/stat/nf_conntrack',
    async read() {
      const [count, max, stat] = await Promise.all([
        file('sys/net/netfilter/nf_conntrack_count'),
        file('sys/net/netfilter/nf_conntrack_max'),
        file('net/stat/nf_conntrack'),
      ]);
      const [value, limit, dropped] = [wholeOf(count), wholeOf(max), conntrackDrops(stat)];
      const measures: Measure[] = [];
      // A limit of 0 means that there is none.
      if (value !== undefined && limit) {
        measures.push({ sign: 'conntrack-full', about: '', value, limit });
      }
      if (dropped !== undefined) {
        measures.push({ sign: 'conntrack-drops', about: '', count: dropped });
      }
      return measures;
    },
  };
}

/**
 * Dropped packets of all processors: a line each, in hexadecimal, below a line with the names of the columns. The columns differ by
 * kernel, so they are found by their names. An insertion that failed may have dropped nothing, or is counted as a drop too.
 * @returns undefined where they are not there, or a line is not whole
 */
export function conntrackDrops(stat: string | undefined): number | undefined {
  const [header, ...lines] = (stat ?? '').split('\n').filter((line) => line.trim() !== '');
  const names = wordsOf(header);
  const column = names.indexOf('drop');
  if (column === -1 || lines.length === 0) return undefined;
  return sumOf(lines.map((line) => hexOf(wordsOf(line)[column])));
}
