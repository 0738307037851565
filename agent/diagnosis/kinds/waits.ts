import type { NamedSight } from './kind.js';

/** In this time all have seen what fails, so that a part is not taken for the whole. */
const completeMs = 2000;
/** Where half of the rows are from before the trouble, or one observer alone sees it. */
const incompleteMs = 10_000;
/**
 * A server that restarts refuses connections for this long. After that, its peers need this time to
 * probe it again.
 */
const restartMs = 5000;
const restartedMs = 30_000;

/** Until enough observers of a broken cause have looked since it began. */
export function untilComplete({ sight }: NamedSight): number {
  return isComplete(sight) ? completeMs : incompleteMs;
}

/** The same, and until it is sure that the node sends nothing. */
export function untilSilenceIsSure({ sight }: NamedSight): number {
  return isComplete(sight) && sight.isSilenceSure() ? completeMs : incompleteMs;
}

/** The same of a server, which may be restarting. */
export function untilRestarted(named: NamedSight): number {
  const { sight } = named;
  const failure = sight.failure();
  if (failure !== 'refused' && failure !== 'reset') return untilComplete(named);
  return sight.isHeardAtAll ? restartedMs : restartMs;
}

function isComplete({ isToldWhole, seen }: NamedSight['sight']): boolean {
  const { confirmed, failing, of } = seen();
  return isToldWhole && 2 * confirmed >= of && (failing > 1 || of < 2);
}
