import { constants } from 'node:os';
import { exitCodes } from './exit-codes.js';

interface StopLog {
  info(facts: object, message: string): void;
  fatal(facts: object, message: string): void;
}

type Stop = () => void | Promise<void>;

/** After this time the process exits, whatever is still running. */
const stopDeadlineMs = 4000;

/**
 * Starts a program and stops it on SIGTERM, SIGINT or SIGHUP. Resolves with exit code 0, or with 1
 * and the reason in the log if a part fails meanwhile. A second signal exits at once. SIGUSR1 does nothing.
 * @throws whatever the start throws
 */
export async function runUntilSignal(
  log: StopLog,
  start: (onFailure: (reason: Error) => void) => Promise<Stop>,
): Promise<number> {
  let onEnd: (cause: NodeJS.Signals | Error) => void = () => undefined;
  const ended = new Promise<NodeJS.Signals | Error>((resolve) => (onEnd = resolve));
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(128 + constants.signals[signal]);
      isStopping = true;
      onEnd(signal);
    });
  }
  // Node would listen for a debugger, on the loopback of the host, and let whoever connects run anything.
  process.on('SIGUSR1', () => undefined);
  process.once('uncaughtException', onEnd);
  process.once('unhandledRejection', (reason) => {
    onEnd(reason instanceof Error ? reason : new Error(String(reason)));
  });
  const started = start(onEnd);
  const first = await Promise.race([ended, started]);
  const cause = typeof first === 'function' ? await ended : first;
  if (cause instanceof Error) log.fatal({ err: cause.stack }, `stopping: ${cause.message}`);
  else log.info({ signal: cause }, 'stopping');
  await Promise.race([started.then((stop) => stop()), deadline()]);
  return cause instanceof Error ? exitCodes.failed : 0;
}

function deadline(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, stopDeadlineMs).unref());
}
