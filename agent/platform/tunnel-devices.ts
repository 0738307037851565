import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tunnelKinds, type TunnelKind } from '../../api/schema/v1/tunnel-overheads.js';

/** A host may have an interface for each pod. */
const mostDevices = 1024;
/** Source: `ARPHRD_TUNNEL` of the kernel's include/uapi/linux/if_arp.h. */
const ipipType = '768';

/**
 * The kinds of tunnels of which this host has a device that is up, by what the kernel shows below `/sys/class/net`. None where
 * that cannot be read. It may be that of another network namespace, so only interfaces count that are in this one too.
 */
export async function tunnelDevices(proc = '/proc', sys = '/sys'): Promise<readonly TunnelKind[]> {
  const folder = join(sys, 'class/net');
  const [own, shown] = await Promise.all([
    readFile(join(proc, 'net/dev'), 'latin1').catch(() => ''),
    readdir(folder).catch(() => []),
  ]);
  const names = shown.filter((name) => own.includes(` ${name}:`));
  const found = new Set<TunnelKind>();
  // One after the other: a host may have many, and this is not urgent.
  for (const name of names.slice(0, mostDevices)) {
    const read = (file: string): Promise<string> =>
      readFile(join(folder, name, file), 'latin1').catch(() => '');
    const kind = kindOf(await read('uevent'), (await read('type')).trim());
    if (kind && (Number(await read('flags')) & 1) === 1) found.add(kind);
  }
  return tunnelKinds.filter((kind) => found.has(kind));
}

function kindOf(uevent: string, type: string): TunnelKind | undefined {
  if (type === ipipType) return 'ipip';
  const devtype = /^DEVTYPE=(\w+)$/m.exec(uevent)?.[1];
  return tunnelKinds.find((kind) => kind === devtype);
}
