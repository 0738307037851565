import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.js';
import type { Transition } from './result-store.js';

/** Paths that never answered are told together, so long after the first of them. */
export const togetherMs = 10_000;
/** So many of their nodes are named. */
const maxNamed = 3;

/** The paths that have not answered since this agent knows them, and are not told yet. */
interface Silent {
  paths: number;
  isExpected: boolean;
  readonly nodes: Set<string>;
}

/**
 * Logs each path that becomes unreachable or reachable. A node that is not expected to answer gives no
 * warning. What never answered, as all nodes of a cluster that is being built, is one line with the count and some
 * names; each of these paths is logged at debug, and so are first answers.
 */
export function createTransitionLogger(
  logger: Logger,
  clock: Pick<Clock, 'after'>,
): (transition: Transition) => void {
  let silent: Silent | undefined;
  const tell = (): void => {
    if (!silent) return;
    const { paths, nodes, isExpected } = silent;
    silent = undefined;
    const facts = { paths, nodes: nodes.size, examples: [...nodes].slice(0, maxNamed) };
    logger[isExpected ? 'warn' : 'info'](facts, 'paths have never answered');
  };
  const note = (node: string, isExpected: boolean): void => {
    if (!silent) {
      silent = { paths: 0, isExpected: false, nodes: new Set() };
      clock.after(togetherMs, tell);
    }
    silent.paths++;
    silent.isExpected ||= isExpected;
    silent.nodes.add(node);
  };
  return ({ path, protocol, before, after, isExpected }) => {
    const isFirst = before.state === 'unknown';
    const facts = { ...path, protocol, before: before.state };
    if (after.state !== 'unreachable') {
      logger[isFirst ? 'debug' : 'info'](facts, 'path is reachable');
      return;
    }
    const { failure, failureKind } = after;
    const level = isFirst ? 'debug' : isExpected ? 'warn' : 'info';
    logger[level]({ ...facts, failure, failureKind }, 'path is unreachable');
    if (isFirst) note(path.node, isExpected);
  };
}
