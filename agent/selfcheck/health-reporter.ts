import type { Logger } from 'pino';
import type { Problems } from '../platform/problems.js';
import type { Health } from './health.js';

export interface HealthReporterOptions {
  readonly health: Pick<Health, 'failed' | 'live' | 'ready'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly problems: Pick<Problems, 'set' | 'clear'>;
}

/**
 * Returns a function to be called regularly. It logs each change of liveness and readiness, and
 * each component that fails or is well again. Failed components are among the agent's problems.
 */
export function createHealthReporter({
  health,
  logger,
  problems,
}: HealthReporterOptions): () => void {
  const was = { live: true, ready: false };
  let failedBefore: ReadonlyMap<string, string> = new Map();
  return () => {
    const failed = health.failed();
    for (const [name, message] of failed) {
      problems.set(`selfcheck:${name}`, `${name}: ${message}`);
      if (!failedBefore.has(name)) logger.warn({ component: name, message }, 'self check failed');
    }
    for (const name of failedBefore.keys()) {
      if (failed.has(name)) continue;
      problems.clear(`selfcheck:${name}`);
      logger.info({ component: name }, 'self check is good again');
    }
    failedBefore = failed;
    for (const kind of ['live', 'ready'] as const) {
      const { ok, reasons } = health[kind]();
      if (ok === was[kind]) continue;
      was[kind] = ok;
      if (ok) logger.info({}, `the agent is ${kind}`);
      else logger.warn({ reasons }, `the agent is not ${kind} any more`);
    }
  };
}
