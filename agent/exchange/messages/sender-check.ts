import type { NodeDirectory } from '../../peers/node-directory.js';
import type { MeshKeys } from './mesh-keys.js';
import type { TrustedSources } from './trusted-sources.js';

/** A request whose source address is not among those of the node that it names. */
export interface ForeignSource {
  /** The name in the request. */
  readonly from: string;
  readonly sourceIp: string;
  /** The node that has the source address; undefined if none has it. */
  readonly owner: string | undefined;
  /** The host addresses of the named node; undefined if it is not listed. */
  readonly hostIps: readonly string[] | undefined;
}

export interface SenderCheckOptions {
  readonly localName: string;
  readonly directory: Pick<NodeDirectory, 'get' | 'nodeAt' | 'hostIps'>;
  /** With a key a source address may be any, for the key proves the name. */
  readonly keys: Pick<MeshKeys, 'isKeyed'>;
  readonly trustedSources: TrustedSources;
  readonly onForeignSource: (source: ForeignSource) => void;
}

/** Tells whether requests come from the agents of the listed nodes that they name. */
export class SenderCheck {
  readonly #options: SenderCheckOptions;

  constructor(options: SenderCheckOptions) {
    this.#options = options;
  }

  /** Whether a request comes from a host address of the node that it names, or from a trusted one. */
  isFromItsAddress(from: string, ip: string): boolean {
    const sourceIp = plainIp(ip);
    const { directory, trustedSources } = this.#options;
    return directory.nodeAt(sourceIp) === from || trustedSources.has(sourceIp);
  }

  /** The listed node, other than the own one, that has a source address; undefined if there is none. */
  nodeAt(ip: string): string | undefined {
    const { localName, directory } = this.#options;
    const node = directory.nodeAt(plainIp(ip));
    return node === localName ? undefined : node;
  }

  /** @param ip the source address as the socket gives it */
  isFromPeer(from: string, ip: string): boolean {
    const { localName, directory, keys, trustedSources, onForeignSource } = this.#options;
    if (from === localName) return false;
    const sourceIp = plainIp(ip);
    const owner = directory.nodeAt(sourceIp);
    if (!directory.get(from)) {
      if (owner !== undefined) onForeignSource({ from, sourceIp, owner, hostIps: undefined });
      return false;
    }
    if (owner === from || keys.isKeyed || trustedSources.has(sourceIp)) return true;
    onForeignSource({ from, sourceIp, owner, hostIps: directory.hostIps(from) });
    return false;
  }
}

/** A socket of both families shows an IPv4 address as an IPv6 one. */
function plainIp(ip: string): string {
  return ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice('::ffff:'.length) : ip;
}
