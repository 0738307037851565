/** The addresses of the bench, in one route. RFC 2544 sets them aside for benchmarks. */
export const range = '198.18.0.0/15';

/** One node of a nodes file: one host and one endpoint address. */
export interface BenchNode {
  readonly name: string;
  readonly host: string;
  readonly endpoint: string;
}

const largest = 0xfffe;

/**
 * Returns the first nodes of a cluster. A larger cluster begins with the same nodes.
 * @throws RangeError if there are not enough addresses
 */
export function clusterOf(count: number): readonly BenchNode[] {
  if (!Number.isInteger(count) || count < 1 || count > largest) {
    throw new RangeError(`expected 1 to ${largest} nodes, got ${count}`);
  }
  return Array.from({ length: count }, (_, index) => {
    const [high, low] = [(index + 1) >> 8, (index + 1) & 0xff];
    return {
      name: `node${String(index + 1).padStart(5, '0')}`,
      host: `198.18.${high}.${low}`,
      endpoint: `198.19.${high}.${low}`,
    };
  });
}

/** The host and endpoint addresses of all nodes. */
export function addressesOf(nodes: readonly BenchNode[]): string[] {
  return nodes.flatMap(({ host, endpoint }) => [host, endpoint]);
}

/** Writes the nodes as an agent's `--nodes-file`. */
export function nodesFileOf(nodes: readonly BenchNode[]): string {
  const lines = nodes.map(
    ({ name, host, endpoint }) =>
      `  - name: ${name}\n    host: ${host}\n    endpoint: [${endpoint}]\n`,
  );
  return `nodes:\n${lines.join('')}`;
}

/**
 * Splits off a share of the nodes, evenly spread. It never takes the first node, which is the
 * agent's own.
 */
export function divide(
  nodes: readonly BenchNode[],
  share: number,
): { readonly dead: readonly BenchNode[]; readonly alive: readonly BenchNode[] } {
  const isDead = (index: number): boolean =>
    index > 0 && Math.floor((index + 1) * share) > Math.floor(index * share);
  return {
    dead: nodes.filter((_, index) => isDead(index)),
    alive: nodes.filter((_, index) => !isDead(index)),
  };
}
