import type { NamedSight } from './kind.js';

/** After this time what is not sure is told all the same. */
const unsureMs = 10_000;
/**
 * A server that restarts refuses connections for this long. After that, its peers need this time to
 * probe it again.
 */
const restartMs = 5000;
const restartedMs = 30_000;

/** Until no look that is still to come can make another cause of a broken one. */
export function untilSure({ sight }: NamedSight): number {
  return sight.isSure() ? 0 : unsureMs;
}

/** The same, and until it is sure that the node sends nothing. */
export function untilSilenceIsSure({ sight }: NamedSight): number {
  return sight.isSure() && sight.isSilenceSure() ? 0 : unsureMs;
}

/** The same of a server, which may be restarting. */
export function untilRestarted(named: NamedSight): number {
  const { sight } = named;
  const failure = sight.failure();
  if (failure !== 'refused' && failure !== 'reset') return untilSure(named);
  return sight.isHeardAtAll ? restartedMs : restartMs;
}
