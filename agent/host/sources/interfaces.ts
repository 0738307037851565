import { join } from 'node:path';
import { signAboutPattern } from '../../model/row-host.js';
import type { HostSource, Measure } from '../measure.js';
import { sumOf, wholeOf, wordsOf } from '../numbers.js';
import type { WatchedInterfaces } from '../own-interfaces.js';
import { readKernelFile } from '../read-file.js';

/**
 * Errors and drops of interfaces, received and sent together. Source: the kernel's Documentation/networking/statistics.rst.
 * @param watched the interfaces that are looked at: a host may have one for each pod
 */
export function interfacesSource(proc: string, watched: () => WatchedInterfaces): HostSource {
  return {
    signs: ['interface-errors', 'interface-drops'],
    files: '/proc/net/dev',
    async read() {
      const counts = interfaceCounts(await readKernelFile(join(proc, 'net/dev')));
      const names = watched();
      return counts.flatMap(({ name, errors, drops }): Measure[] => {
        // Another card of that name counts anew, and may have counted more.
        const parts = names.get(name);
        if (parts === undefined) return [];
        return [
          { sign: 'interface-errors', about: name, count: errors, parts },
          { sign: 'interface-drops', about: name, count: drops, parts },
        ];
      });
    },
  };
}

export interface InterfaceCounts {
  readonly name: string;
  readonly errors: number;
  readonly drops: number;
}

/** The lines of `/proc/net/dev` that are whole. Its columns are the same in all kernels. */
export function interfaceCounts(text: string | undefined): InterfaceCounts[] {
  return (text ?? '').split('\n').flatMap((line) => {
    // A name may have a colon of its own, and a figure may stand right after the last one.
    const at = line.lastIndexOf(':');
    const name = line.slice(0, at).trim();
    if (at <= 0 || !signAboutPattern.test(name)) return [];
    const words = wordsOf(line.slice(at + 1));
    if (words.length < 16) return [];
    const [errors, drops] = [
      [2, 10],
      [3, 11],
    ].map((columns) => sumOf(columns.map((column) => wholeOf(words[column]))));
    return errors === undefined || drops === undefined ? [] : [{ name, errors, drops }];
  });
}
