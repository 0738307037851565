import { join } from 'node:path';
import type { HostSource, Measure } from '../measure.js';
import { wholeOf } from '../numbers.js';
import type { WatchedInterfaces } from '../own-interfaces.js';
import { readKernelFile } from '../read-file.js';

/**
 * How often the links of interfaces came and went, and their speed in Mbit/s. A link that is down, and many virtual ones, have no speed.
 * Source: the kernel's Documentation/ABI/testing/sysfs-class-net.
 * @param sys where the kernel shows its devices. It may be that of another network namespace, which has an interface of the same
 * name: what has another hardware address is left out
 */
export function linksSource(sys: string, watched: () => WatchedInterfaces): HostSource {
  const file = (name: string, of: string) => readKernelFile(join(sys, 'class/net', name, of), 64);
  // A link that was down may come back slower, so it is remembered here.
  const highest = new Map<string, number>();
  const speedOf = (about: string, value: number): Measure => {
    const most = Math.max(highest.get(about) ?? 0, value);
    highest.set(about, most);
    return { sign: 'link-speed', about, value, highest: most };
  };
  return {
    signs: ['carrier-flaps', 'link-speed'],
    files: '/sys/class/net/*/carrier_changes and speed',
    async read() {
      const names = watched();
      for (const name of highest.keys()) if (!names.has(name)) highest.delete(name);
      const measures = await Promise.all(
        Array.from(names, async ([name, mac]): Promise<Measure[]> => {
          const [address, changes, speed] = await Promise.all([
            file(name, 'address'),
            file(name, 'carrier_changes'),
            file(name, 'speed'),
          ]);
          if (address?.trim() !== mac) return [];
          const [count, value] = [wholeOf(changes), wholeOf(speed)];
          return [
            ...(count === undefined
              ? []
              : [{ sign: 'carrier-flaps', about: name, count } as const]),
            ...(value ? [speedOf(name, value)] : []),
          ];
        }),
      );
      return measures.flat();
    },
  };
}
