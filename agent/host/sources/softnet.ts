import { join } from 'node:path';
import type { HostSource } from '../measure.js';
import { hexOf, sumOf, wordsOf } from '../numbers.js';
import { readKernelFile } from '../read-file.js';

/** The queues through which each processor takes packets in. They are the host's, whatever the network namespace is. */
export function softnetSource(proc: string): HostSource {
  return {
    signs: ['softnet-drops'],
    files: '/proc/net/softnet_stat',
    async read() {
      const text = await readKernelFile(join(proc, 'net/softnet_stat'));
      const count = softnetDrops(text);
      const parts = softnetProcessors(text);
      return count === undefined ? [] : [{ sign: 'softnet-drops', about: '', count, parts }];
    },
  };
}

/** Which processors have a line: those that are online. The number stands in the thirteenth column, since Linux 5.10. */
function softnetProcessors(text: string | undefined): string {
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, at) => wordsOf(line)[12] ?? at).join();
}

/**
 * Packets that had no room in the queue of a processor: the second column, in hexadecimal, a line for each. Kernels have added columns
 * at the end. Source: `softnet_seq_show` in the kernel's net/core/net-procfs.c.
 */
export function softnetDrops(text: string | undefined): number | undefined {
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  return sumOf(
    lines.map((line) => {
      const words = wordsOf(line);
      return words.length < 9 ? undefined : hexOf(words[1]);
    }),
  );
}
