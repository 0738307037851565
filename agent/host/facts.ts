import { join } from 'node:path';
import { listInterfaces } from '../platform/list-interfaces.js';
import type { HostFact, ReadFacts } from './change-log.js';
import { wordsOf } from './numbers.js';
import type { WatchedInterfaces } from './own-interfaces.js';
import { readKernelFile, readKernelHead } from './read-file.js';

/** Those that decide whether packets of nodes and pods pass, and whether echoes may be sent. */
const sysctls = [
  'net/ipv4/ip_forward',
  'net/ipv4/conf/all/rp_filter',
  'net/ipv4/ping_group_range',
  'net/ipv6/conf/all/forwarding',
  'net/ipv6/conf/all/disable_ipv6',
] as const;

export interface FactsOptions {
  readonly proc: string;
  readonly sys: string;
  readonly etc: string;
  readonly interfaces: () => WatchedInterfaces;
}

/** What is compared from reading to reading, one function for each place where it is read. */
export function hostFacts({ proc, sys, etc, interfaces }: FactsOptions): readonly ReadFacts[] {
  return [
    async () => {
      const read = Array.from(interfaces(), ([name, mac]) => linkFacts(sys, name, mac));
      return (await Promise.all(read)).flat();
    },
    () => Promise.resolve(addressFacts(interfaces())),
    // The default routes stand first. A host with a route for each node of thousands has a large file.
    async () => routeFacts(await readKernelHead(join(proc, 'net/route'), 16_384)),
    async () => {
      const read = sysctls.map(async (name): Promise<HostFact[]> => {
        const text = await readKernelFile(join(proc, 'sys', name), 256);
        const about = name.replaceAll('/', '.');
        return text === undefined
          ? []
          : [{ change: 'sysctl', about, value: wordsOf(text).join(' ') }];
      });
      return (await Promise.all(read)).flat();
    },
    async () => nameserverFacts(await readKernelFile(join(etc, 'resolv.conf'), 65_536)),
  ];
}

/** The MTU and the state of a link. Of another network namespace it has another hardware address. */
async function linkFacts(sys: string, name: string, mac: string): Promise<HostFact[]> {
  const file = (of: string) => readKernelFile(join(sys, 'class/net', name, of), 64);
  const [address, mtu, state] = await Promise.all(['address', 'mtu', 'operstate'].map(file));
  if (address?.trim() !== mac || mtu === undefined || state === undefined) return [];
  return [
    { change: 'interface-mtu', about: name, value: mtu.trim() },
    { change: 'interface-down', about: name, value: state.trim() },
  ];
}

function addressFacts(watched: WatchedInterfaces): HostFact[] | undefined {
  const all = listInterfaces();
  if (!all) return undefined;
  return [...watched.keys()].flatMap((about) => {
    // One without a carrier is not listed, though the kernel keeps its addresses: nothing is known of these.
    const addresses = all[about]?.map(({ cidr, address }) => cidr ?? address);
    // Link-local ones come a second after the link.
    const own = addresses?.filter((one) => !one.startsWith('fe80:'));
    return own ? [{ change: 'address', about, value: own.sort().join(', ') }] : [];
  });
}

/** The default routes of IPv4: the interface, and the gateway in the kernel's order of bytes. */
export function routeFacts(text: string | undefined): HostFact[] | undefined {
  if (text === undefined) return undefined;
  const routes = text.split('\n').flatMap((line) => {
    const [name = '', destination, gateway = '', , , , , mask] = wordsOf(line);
    if (destination !== '00000000' || mask !== '00000000') return [];
    const bytes = /^[0-9A-F]{8}$/i.test(gateway) ? Buffer.from(gateway, 'hex').reverse() : [];
    return [`${bytes.length === 4 ? [...bytes].join('.') : '?'} by ${name}`];
  });
  return [{ change: 'route', about: 'default-route', value: routes.sort().join(', ') }];
}

/** The servers in the order in which they are asked. */
export function nameserverFacts(text: string | undefined): HostFact[] | undefined {
  if (text === undefined) return undefined;
  const servers = [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].map(([, server = '']) => server);
  return [{ change: 'nameservers', about: '', value: servers.slice(0, 3).join(', ') }];
}
