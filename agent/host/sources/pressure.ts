import { join } from 'node:path';
import type { HostSign } from '../../model/row-host.js';
import type { HostSource, Measure } from '../measure.js';
import { readKernelFile } from '../read-file.js';

/** Which line says it: that some wait for a processor, or that all wait for memory. */
const files = [
  { name: 'cpu', sign: 'cpu-pressure', line: 'some' },
  { name: 'memory', sign: 'memory-pressure', line: 'full' },
] as const satisfies readonly { name: string; sign: HostSign; line: string }[];

/** How long work waits for processors and memory on the whole host. Source: the kernel's Documentation/accounting/psi.rst. */
export function pressureSource(proc: string): HostSource {
  return {
    signs: ['cpu-pressure', 'memory-pressure'],
    files: '/proc/pressure',
    async read() {
      const measures = await Promise.all(
        files.map(async ({ name, sign, line }): Promise<Measure[]> => {
          const share = pressureShare(
            await readKernelFile(join(proc, 'pressure', name), 4096),
            line,
          );
          return share === undefined ? [] : [{ sign, about: '', value: share, limit: 100 }];
        }),
      );
      return measures.flat();
    },
  };
}

/** The share of the last minute in which work waited, in hundredths. */
export function pressureShare(text: string | undefined, line: 'some' | 'full'): number | undefined {
  const found = new RegExp(String.raw`^${line} .*\bavg60=(\d{1,3}\.\d\d)\b`, 'm').exec(text ?? '');
  const share = Number(found?.[1]);
  return share <= 100 ? Math.round(share) : undefined;
}
