import { readFile } from 'node:fs/promises';
import { ownAddresses } from '../../platform/own-addresses.js';

export interface OwnAgentOptions {
  /** Addresses and networks from which the agent of this node may send, beside those found here. */
  readonly isTrusted: (ip: string) => boolean;
  /** Where the kernel tells its routes. */
  readonly folder?: string;
}

/** Addresses and routes are read again this often. */
const readEveryMs = 30_000;
/** A route by a gateway (RTF_GATEWAY of route(8)). */
const gatewayFlag = 2;

/**
 * Tells whether a request may come from the agent of this node: from an address of this host or pod, from the
 * default gateway, which on most pod networks is this node, or from an address that was configured.
 */
export class OwnAgent {
  readonly #options: OwnAgentOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #known: { own: Ips; gateways: Ips; gateways6: Ips } = {
    own: [],
    gateways: [],
    gateways6: [],
  };

  private constructor(options: OwnAgentOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.read(), readEveryMs).unref();
  }

  static async open(options: OwnAgentOptions): Promise<OwnAgent> {
    const agent = new OwnAgent(options);
    await agent.read();
    return agent;
  }

  has(sourceIp: string): boolean {
    const ip = plainIp(sourceIp);
    return (
      Object.values(this.#known).some((ips) => ips.includes(ip)) || this.#options.isTrusted(ip)
    );
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Reads the addresses and routes of this host again. What cannot be read stays as it was. */
  async read(): Promise<void> {
    // /proc/net leads there, and is not seen where processes alone are shown (ProcSubset=pid of systemd).
    const { folder = '/proc/self/net' } = this.#options;
    const read = (name: string) => readFile(`${folder}/${name}`, 'utf8').catch(() => undefined);
    const [route, route6] = await Promise.all([read('route'), read('ipv6_route')]);
    const known = this.#known;
    known.own = ownAddresses()?.map(({ address }) => address) ?? known.own;
    if (route !== undefined) known.gateways = defaultGateways(route);
    if (route6 !== undefined) known.gateways6 = defaultGateways6(route6);
  }
}

type Ips = readonly string[];

/** The default gateways in the text of /proc/net/route: addresses are hexadecimal, the last byte first. */
export function defaultGateways(text: string): string[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, destination, gateway = '', flags = ''] = line.split(/\s+/);
      const isDefault = destination === '00000000' && (parseInt(flags, 16) & gatewayFlag) !== 0;
      if (!isDefault || !/^[0-9A-Fa-f]{8}$/.test(gateway)) return [];
      return [[...Buffer.from(gateway, 'hex').reverse()].join('.')];
    });
}

/** The same of /proc/net/ipv6_route. */
export function defaultGateways6(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [destination = '', length, , , gateway = ''] = line.split(/\s+/);
    const isDefault = /^0{32}$/.test(destination) && length === '00';
    if (!isDefault || !/^[0-9a-f]{32}$/.test(gateway) || /^0{32}$/.test(gateway)) return [];
    const groups = gateway.match(/.{4}/g) ?? [];
    return [new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)];
  });
}

/** A socket of both families shows an IPv4 address as an IPv6 one. */
function plainIp(ip: string): string {
  return ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice('::ffff:'.length) : ip;
}
