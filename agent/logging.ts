import { pino, type Logger } from 'pino';
import type { Transition } from './results/result-store.js';

/** The one root logger: JSON lines, or the same for people, on standard output. */
export async function createLogger(level: string, format: 'json' | 'pretty'): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (format === 'json') return pino(options, pino.destination({ dest: 1, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ sync: true, destination: 1, colorize: process.stdout.isTTY }));
}

/** Logs paths that went and came back; first answers are too many for more than debug. */
export function logTransition(logger: Logger): (transition: Transition) => void {
  return ({ path, protocol, before, after }) => {
    const facts = { ...path, protocol, before: before.state };
    if (after.state === 'unreachable') {
      logger.warn({ ...facts, failure: after.failure }, 'path is unreachable');
    } else {
      logger[before.state === 'unknown' ? 'debug' : 'info'](facts, 'path is reachable');
    }
  };
}
