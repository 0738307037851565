import { isIPv6 } from 'node:net';
import { readAddress } from '../../model/address.js';
import { ownAddresses } from '../../platform/own-addresses.js';

const wildcards = ['0.0.0.0', '::'];

/** Whether a listen address stands for all addresses of this host. */
export function isWildcard(address: string): boolean {
  return wildcards.includes(address);
}

/** The addresses of this host that a node list can have. Undefined where they cannot be listed. */
export function ownIps(): string[] | undefined {
  return ownAddresses()?.flatMap(({ address }) => ('ip' in readAddress(address) ? [address] : []));
}

/**
 * The addresses that have a socket: a wildcard address stands for those of this host. `::` alone stands for
 * both families, and beside other addresses for its own, as where the responder listens.
 * @param listened none: every address of both families
 * @param own the addresses of this host; undefined where they are not known: a wildcard then stays what it is
 */
export function echoAddresses(
  listened: readonly string[],
  own: readonly string[] = wildcards,
): ReadonlySet<string> {
  const addresses = listened.length > 0 ? listened : ['::'];
  return new Set(
    addresses.flatMap((address) => {
      if (!isWildcard(address)) return [address];
      const takesBoth = address === '::' && addresses.length === 1;
      return own.filter((ip) => takesBoth || isIPv6(ip) === isIPv6(address));
    }),
  );
}
