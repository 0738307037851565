import { join } from 'node:path';
import type { HostSource, Measure } from '../measure.js';
import { wholeOf } from '../numbers.js';
import type { WatchedInterfaces } from '../own-interfaces.js';
import { readKernelFile } from '../read-file.js';

/** What drivers say that do not know the speed, as `ethtool` reads it too: -1 of 16 and of 32 bits, and 0. */
const unknownSpeeds: ReadonlySet<number> = new Set([0, 0xffff, 0xffff_ffff]);

/**
 * How often the links of interfaces came and went, and their speed in Mbit/s. A link that is down, and many virtual ones, have no speed.
 * Source: the kernel's Documentation/ABI/testing/sysfs-class-net.
 * @param sys where the kernel shows its devices. It may be that of another network namespace, which has an interface of the same
 * name: what has another hardware address is left out
 */
export function linksSource(sys: string, watched: () => WatchedInterfaces): HostSource {
  const file = (name: string, of: string) => readKernelFile(join(sys, 'class/net', name, of), 64);
  // A link that was down may come back slower, so it is remembered here, with the hardware address of its interface.
  const highest = new Map<string, { readonly mac: string; readonly most: number }>();
  const speedOf = (about: string, mac: string, value: number): Measure => {
    const known = highest.get(about);
    const most = Math.max(known?.mac === mac ? known.most : 0, value);
    highest.set(about, { mac, most });
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
              : [{ sign: 'carrier-flaps', about: name, count, parts: mac } as const]),
            ...(value === undefined || unknownSpeeds.has(value) ? [] : [speedOf(name, mac, value)]),
          ];
        }),
      );
      return measures.flat();
    },
  };
}
