import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Addresses and networks from which any peer's messages may come, beside the host addresses of its
 * node: source addresses may be translated on the way.
 */
export class TrustedSources {
  readonly #list = new BlockList();

  /** @param sources IP addresses, and networks such as 10.0.0.0/24 */
  constructor(sources: readonly string[] = []) {
    for (const source of sources) {
      const [address = '', bits] = source.split('/');
      const family = familyOf(address);
      if (bits === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(bits), family);
    }
  }

  has(ip: string): boolean {
    return isIP(ip) !== 0 && this.#list.check(ip, familyOf(ip));
  }
}

function familyOf(ip: string): 'ipv4' | 'ipv6' {
  return isIPv6(ip) ? 'ipv6' : 'ipv4';
}
