import type { Lifecycle, Node } from './node.js';

/** The lifecycle of a node that its source lists without a host address: nobody can ask it or its agent. */
export const withoutAddress: Lifecycle = { phase: 'excluded', reason: 'no address' };

const mostNamed = 3;

/**
 * Says of the nodes that are excluded for lack of a host address that they are. One clause without a full stop;
 * undefined where there are none.
 */
export function describeWithoutAddress(nodes: readonly Node[]): string | undefined {
  const bare = nodes.filter(
    ({ lifecycle }) =>
      lifecycle?.phase === withoutAddress.phase && lifecycle.reason === withoutAddress.reason,
  );
  if (bare.length === 0) return undefined;
  const names = bare.slice(0, mostNamed).map(({ name }) => name);
  const more = bare.length > mostNamed ? ` and ${bare.length - mostNamed} more` : '';
  const verb = bare.length === 1 ? 'has no host address and is' : 'have no host address and are';
  return `${names.join(', ')}${more} ${verb} excluded`;
}
