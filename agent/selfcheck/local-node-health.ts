import type { Logger } from 'pino';
import type { Node } from '../model/node.js';
import { describeUnlisted } from '../model/unlisted-node.js';
import type { Problems } from '../platform/problems.js';
import type { Health } from './health.js';

export interface LocalNodeHealthOptions {
  /** `cluster/name` */
  readonly localName: string;
  readonly health: Pick<Health, 'register'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly problems: Pick<Problems, 'set' | 'clear'>;
}

/**
 * Returns a function that takes each node list. If this agent's own node is not in it, that is a
 * problem and a note beside readiness, with the name that was probably meant: such an agent probes,
 * but no other agent knows it, so none takes its row.
 */
export function createLocalNodeReporter(
  options: LocalNodeHealthOptions,
): (nodes: readonly Node[]) => void {
  const { localName, health, logger, problems } = options;
  const report = health.register({
    name: 'local-node',
    timeoutMs: Infinity,
    allowedFailures: 0,
    live: false,
    ready: true,
  });
  report({ ok: true, message: 'known with the node list' });
  return (nodes) => {
    if (nodes.some(({ name }) => name === localName)) {
      if (problems.clear('local-node')) logger.info({ node: localName }, 'this node is listed now');
      report({ ok: true, message: `${localName} is listed` });
      return;
    }
    const message = describeUnlisted(localName, namesOf(nodes));
    if (problems.set('local-node', message)) {
      logger.warn(
        { node: localName, reason: message },
        'this node is not in the node list; probing goes on',
      );
    }
    report({ ok: true, message, note: true });
  };
}

function* namesOf(nodes: readonly Node[]): Generator<string> {
  for (const { name } of nodes) yield name;
}
