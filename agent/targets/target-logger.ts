import type { TargetTransition } from './target-results.js';

/** Writes a line: its facts and its message. */
type Write = (facts: object, message: string) => void;

/** Logs each target that becomes unreachable or reachable. First answers are logged at debug. */
export function createTargetLogger(
  logger: Readonly<Record<'warn' | 'info' | 'debug', Write>>,
): (transition: TargetTransition) => void {
  return ({ target, plane, before, after }) => {
    const facts = { target, plane, before: before.state };
    if (after.state === 'unreachable') {
      const { failure, failureKind } = after;
      logger.warn({ ...facts, failure, failureKind }, 'target is unreachable');
    } else {
      logger[before.state === 'unknown' ? 'debug' : 'info'](facts, 'target is reachable');
    }
  };
}
