import type { Logger } from 'pino';
import type { Problems } from '../platform/problems.js';
import type { ReportSourceState, SourceState } from './source-state.js';

/** The least time between two lines of the same trouble in the log. */
const logEveryMs = 60_000;

/** Shows what a node source waits for among the agent's problems, and in the log at a sane rate. */
export function createSourceReporter(
  problems: Problems,
  logger: Logger,
  options: { readonly cause?: string; readonly now?: () => number } = {},
): ReportSourceState {
  const { cause = 'node-source', now = Date.now } = options;
  let loggedAt: number | undefined;
  return (state) => {
    const { source, waitsFor, lastError } = state;
    if (state.since === undefined) {
      problems.clear(cause);
      if (loggedAt !== undefined) logger.info({ source }, 'node source is well again');
      loggedAt = undefined;
      return;
    }
    problems.set(cause, describeWait(state));
    // The first moments of every start are no news.
    if (lastError === undefined) return;
    if (loggedAt !== undefined && now() - loggedAt < logEveryMs) return;
    loggedAt = now();
    const since = new Date(state.since).toISOString();
    logger.warn({ waitsFor, since, reason: lastError }, 'waiting for the node source');
  };
}

/** One line: what is waited for, since when, why, and how old the list in use is. */
export function describeWait({ waitsFor, since, lastError, listAt }: SourceState): string {
  const from = since === undefined ? '' : ` since ${new Date(since).toISOString()}`;
  const list =
    listAt === undefined
      ? 'there is no node list yet'
      : `the node list of ${new Date(listAt).toISOString()} stays in use`;
  const why = lastError === undefined ? '' : ` (${lastError})`;
  return `waiting for ${waitsFor}${from}: ${list}${why}`;
}
