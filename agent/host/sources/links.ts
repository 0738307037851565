import { join } from 'node:path';
import type { HostSource, Measure } from '../measure.js';
import { wholeOf } from '../numbers.js';
import type { WatchedInterfaces } from '../own-interfaces.js';
import { readKernelFile } from '../read-file.js';

/**
 * How often the links of interfaces came and went. Source: the kernel's Documentation/ABI/testing/sysfs-class-net.
 * @param sys where the kernel shows its devices. It may be that of another network namespace, which has an interface of the same
 * name: what has another hardware address is left out
 */
export function linksSource(sys: string, watched: () => WatchedInterfaces): HostSource {
  const file = (name: string, of: string) => readKernelFile(join(sys, 'class/net', name, of), 64);
  return {
    signs: ['carrier-flaps'],
    files: '/sys/class/net/*/carrier_changes',
    async read() {
      const measures = await Promise.all(
        Array.from(watched(), async ([name, mac]): Promise<Measure[]> => {
          const [address, changes] = await Promise.all([
            file(name, 'address'),
            file(name, 'carrier_changes'),
          ]);
          const count = wholeOf(changes);
          return address?.trim() !== mac || count === undefined
            ? []
            : [{ sign: 'carrier-flaps', about: name, count }];
        }),
      );
      return measures.flat();
    },
  };
}
