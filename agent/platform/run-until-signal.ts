import { constants } from 'node:os';

interface StopLog {
  info(facts: object, message: string): void;
  fatal(facts: object, message: string): void;
}

type Stop = () => void | Promise<void>;

/** What is not stopped in this time is left behind. */
const stopDeadlineMs = 4000;

/**
 * Starts something, runs it until SIGTERM, SIGINT or SIGHUP, stops it and resolves with exit code 0; where a
 * part fails meanwhile, with 1 and its reason in the log. A second signal exits at once.
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
  return cause instanceof Error ? 1 : 0;
}

function deadline(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, stopDeadlineMs).unref());
}
