import { join } from 'node:path';
import type { HostSource } from '../measure.js';
import { wholeOf } from '../numbers.js';
import { readKernelFile } from '../read-file.js';

/**
 * How often the agent's own control group was kept from its processors, in both versions of control groups. A group without a
 * limit counts nothing. Source: the kernel's Documentation/admin-guide/cgroup-v2.rst, `cpu.stat`.
 */
export function cgroupSource(proc: string, sys: string): HostSource {
  return {
    signs: ['cpu-throttled'],
    files: '/sys/fs/cgroup/*/cpu.stat',
    async read() {
      const own = await readKernelFile(join(proc, 'self/cgroup'), 65_536);
      const path = /^0::(\/[^\n]*)$/m.exec(own ?? '')?.[1] ?? '/';
      for (const folder of [path, '/', '/cpu']) {
        const stat = await readKernelFile(join(sys, 'fs/cgroup', folder, 'cpu.stat'), 4096);
        const [of, count] = ['nr_periods', 'nr_throttled'].map((name) =>
          wholeOf(new RegExp(String.raw`^${name} (\d+)$`, 'm').exec(stat ?? '')?.[1]),
        );
        if (of !== undefined && count !== undefined)
          return [{ sign: 'cpu-throttled', about: '', count, of }];
      }
      return [];
    },
  };
}
