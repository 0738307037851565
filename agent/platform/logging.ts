import { pino, type Logger } from 'pino';
import { LogOutput } from './log-output.js';
import type { Transition } from '../results/result-store.js';

/** The one root logger: JSON lines, or the same for people, on standard output. */
export async function createLogger(level: string, format: 'json' | 'pretty'): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const output = new LogOutput(1, (lines) => logger.warn({ lines }, 'log lines were lost'));
  const write = format === 'json' ? (line: string) => output.write(line) : await prettyTo(output);
  const logger = pino(options, { write });
  return logger;
}

async function prettyTo(output: LogOutput): Promise<(line: string) => void> {
  const { default: pinoPretty } = await import('pino-pretty');
  const pretty = pinoPretty.prettyFactory({ colorize: process.stdout.isTTY });
  return (line) => output.write(pretty(line));
}

/** Logs paths that went and came back; those of nodes that are not expected to answer are no warning, and first answers are too many for more than debug. */
export function logTransition(logger: Logger): (transition: Transition) => void {
  return ({ path, protocol, before, after, isExpected }) => {
    const facts = { ...path, protocol, before: before.state };
    if (after.state === 'unreachable') {
      const level = isExpected ? 'warn' : 'info';
      logger[level]({ ...facts, failure: after.failure }, 'path is unreachable');
    } else {
      logger[before.state === 'unknown' ? 'debug' : 'info'](facts, 'path is reachable');
    }
  };
}
