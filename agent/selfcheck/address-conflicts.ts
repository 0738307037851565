import type { Logger } from 'pino';
import type { Node } from '../model/node.js';
import type { Problems } from '../platform/problems.js';

export interface AddressConflictOptions {
  readonly logger: Pick<Logger, 'warn'>;
  readonly problems: Pick<Problems, 'set' | 'clear'>;
}

const namedConflicts = 3;

/**
 * Returns a function that takes each node list. Where two nodes claim one address, that is a problem
 * with both names: one of them may be excluded for it, or not be probed there.
 */
export function createAddressConflictReporter({
  logger,
  problems,
}: AddressConflictOptions): (nodes: readonly Node[]) => void {
  return (nodes) => {
    const conflicts = nodes.flatMap((node) =>
      (node.lost ?? []).map(({ ip, holder }) => {
        const reason = `address ${ip} belongs to ${holder}`;
        const isExcluded = node.lifecycle?.phase === 'excluded' && node.lifecycle.reason === reason;
        return `${node.name} claims ${ip} of ${holder}${isExcluded ? ' and is excluded' : ''}`;
      }),
    );
    if (conflicts.length === 0) {
      problems.clear('address-conflict');
      return;
    }
    const more = conflicts.length - namedConflicts;
    const text = [
      ...conflicts.slice(0, namedConflicts),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join('; ');
    if (problems.set('address-conflict', text)) {
      logger.warn({ conflicts: text }, 'nodes claim addresses of others');
    }
  };
}
