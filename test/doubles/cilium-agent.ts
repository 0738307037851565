import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { closeServer } from '../resources/listen.js';

export interface NodeElement {
  readonly name: string;
  readonly [more: string]: unknown;
}

interface Pending {
  readonly added: Map<string, NodeElement>;
  readonly removed: Map<string, NodeElement>;
}

/** A Cilium agent as far as `GET /v1/cluster/nodes` goes, with its client ids. */
export class CiliumAgent {
  /** The client ids that were asked with, the oldest first. */
  readonly asked: bigint[] = [];
  readonly #nodes = new Map<string, NodeElement>();
  readonly #clients = new Map<bigint, Pending>();
  readonly #server: Server;
  /** Cilium draws ids from 63 bits. */
  #lastClient = 6_129_484_611_666_145_820n;
  /** Answers to give once each, in place of the truth; the truth counts as told. */
  readonly lies: { status?: number; text?: string; cut?: boolean }[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      const id = BigInt(request.headers['client-id']?.toString() ?? 0);
      this.asked.push(id);
      if (request.url !== '/v1/cluster/nodes') {
        response.writeHead(404).end();
        return;
      }
      const truth = this.#answer(id);
      const lie = this.lies.shift();
      if (lie?.cut) response.destroy();
      else response.writeHead(lie?.status ?? 200).end(lie?.text ?? truth);
    });
  }

  async start(socketPath: string): Promise<void> {
    this.#server.listen(socketPath);
    await once(this.#server, 'listening');
  }

  stop(): Promise<void> {
    return closeServer(this.#server);
  }

  /** Starts anew with no knowledge of its clients. */
  forgetClients(): void {
    this.#clients.clear();
  }

  put(node: NodeElement): void {
    const before = this.#nodes.get(node.name);
    this.#nodes.set(node.name, node);
    for (const { added, removed } of this.#clients.values()) {
      // An updated node is in both lists.
      if (before) removed.set(node.name, before);
      added.set(node.name, node);
    }
  }

  remove(name: string): void {
    const before = this.#nodes.get(name);
    if (!before) return;
    this.#nodes.delete(name);
    for (const { added, removed } of this.#clients.values()) {
      added.delete(name);
      removed.set(name, before);
    }
  }

  #answer(id: bigint): string {
    const known = this.#clients.get(id);
    const clientId = known ? id : ++this.#lastClient;
    this.#clients.set(clientId, { added: new Map(), removed: new Map() });
    const lists = {
      self: 'cluster1/a',
      'nodes-added': [...(known ? known.added : this.#nodes).values()],
      'nodes-removed': known ? [...known.removed.values()] : [],
    };
    return `{"client-id":${clientId},${JSON.stringify(lists).slice(1)}`;
  }
}

/** A node as the agent's API describes it. */
export function nodeElement(name: string, ipv4: string, more: object = {}): NodeElement {
  const address = (ip: string) => ({
    ipv4: { enabled: true, ip, 'alloc-range': '10.0.0.0/24', 'address-type': 'InternalIP' },
    ipv6: {},
  });
  return {
    name,
    'primary-address': address(ipv4),
    'health-endpoint-address': address(ipv4.replace('198.51.100.', '10.0.0.')),
    'secondary-addresses': [],
    ...more,
  };
}
