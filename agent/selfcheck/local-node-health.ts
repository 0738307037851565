import type { Logger } from 'pino';
import { nearestName } from '../model/nearest-name.js';
import type { Node } from '../model/node.js';
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
    const nearest = nearestName(localName, namesOf(nodes));
    const message = describeUnlisted(localName, nearest);
    if (problems.set('local-node', message)) {
      logger.warn(
        { node: localName, nearest },
        'this node is not in the node list; probing goes on',
      );
    }
    report({ ok: true, message, note: true });
  };
}

function describeUnlisted(localName: string, nearest: string | undefined): string {
  const words = `this agent's node ${localName} is not in the node list`;
  if (nearest === undefined) return `${words} (--node-name)`;
  const isOtherCluster = clusterOf(nearest) !== clusterOf(localName);
  const flag = isOtherCluster ? '--cluster-name' : '--node-name';
  return `${words}; the nearest name there is ${nearest} (${flag})`;
}

function* namesOf(nodes: readonly Node[]): Generator<string> {
  for (const { name } of nodes) yield name;
}

function clusterOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}
