import type { Logger } from 'pino';
import type { Transition } from './result-store.js';

/**
 * Logs each path that becomes unreachable or reachable. A node that is not expected to answer gives no
 * warning. First answers are logged at debug, as there is one for each path.
 */
export function createTransitionLogger(logger: Logger): (transition: Transition) => void {
  return ({ path, protocol, before, after, isExpected }) => {
    const facts = { ...path, protocol, before: before.state };
    if (after.state === 'unreachable') {
      const level = isExpected ? 'warn' : 'info';
      const { failure, failureKind } = after;
      logger[level]({ ...facts, failure, failureKind }, 'path is unreachable');
    } else {
      logger[before.state === 'unknown' ? 'debug' : 'info'](facts, 'path is reachable');
    }
  };
}
