import { runInSlices, type Steps } from '../../platform/time-slices.js';
import type { PathTask } from './path-task.js';
import type { RateQueue } from './rate-queue.js';

export interface SweepOptions {
  readonly queue: RateQueue;
  readonly tasks: () => Iterable<PathTask>;
  readonly probe: (task: PathTask, onSettled: () => void) => void;
}

/** A sweep puts so many paths in the queue at a time. */
const sweptAtOnce = 64;

/**
 * Probes every path now, and resolves when the state of each is decided. A path that does not
 * answer is probed as often as the threshold says, so all dead paths together cost one timeout
 * and the gaps.
 */
export async function sweep(options: SweepOptions): Promise<void> {
  await Promise.all(await runInSlices(sweepAll(options)));
}

function* sweepAll(options: SweepOptions): Steps<Promise<void>[]> {
  const swept: Promise<void>[] = [];
  for (const task of [...options.tasks()]) {
    if (task.isGone) continue;
    swept.push(sweepOne(task, options));
    if (swept.length % sweptAtOnce === 0) yield;
  }
  return swept;
}

function sweepOne(task: PathTask, { queue, probe: send }: SweepOptions): Promise<void> {
  return new Promise((resolve) => {
    task.track(resolve);
    const end = (): void => {
      task.untrack(resolve);
      resolve();
    };
    const probe = (): void =>
      send(task, () => {
        if (task.confirmation) task.confirmation.onEnd(end);
        else end();
      });
    task.enqueue(queue, probe);
  });
}
