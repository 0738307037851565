import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Runs one seed. The result is plain data, as it may come from another thread. */
export type RunSeed = (seed: number, options: never) => unknown;

/** The seeds to run, and what they are run with. */
export interface Seeds {
  /** The name of the function, by which a worker finds it. */
  readonly task: string;
  readonly seed: number;
  readonly count: number;
  /** How many threads share the seeds. */
  readonly jobs: number;
  /** Plain data for the function. */
  readonly options: unknown;
}

const tasks = new Map<string, RunSeed>();

/**
 * Makes a function known to workers. Call it where the module is loaded, as workers load the same
 * modules.
 */
export function registerTask(name: string, run: RunSeed): void {
  tasks.set(name, run);
}

/**
 * Runs consecutive seeds and gives the result of each, in the order of the seeds. With more than
 * one job it must be part of a bundle that has all tasks, because that is what the workers load.
 */
export async function* runSeeds<Result>(seeds: Seeds): AsyncGenerator<Result> {
  const { task, seed: first, count, jobs, options } = seeds;
  if (jobs === 1) {
    for (let seed = first; seed < first + count; seed++)
      yield (await runTask(task, seed, options)) as Result;
    return;
  }
  const results = Array.from({ length: count }, () => newPromise<Result>());
  const workers = Array.from({ length: jobs }, (_, job) => {
    const data: WorkerData = { simulation: { ...seeds, job } };
    const worker = new Worker(new URL(import.meta.url), { workerData: data });
    worker.on('message', ({ seed, result }: { seed: number; result: Result }) =>
      results[seed - first]?.resolve(result),
    );
    worker.on('error', (error) => results.forEach(({ reject }) => reject(error)));
    return worker;
  });
  try {
    for (const { promise } of results) yield await promise;
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

interface WorkerData {
  readonly simulation?: Seeds & { readonly job: number };
}

/** In a worker, runs its share of the seeds. Call it once all tasks are registered. */
export async function runAsWorker(): Promise<void> {
  const data = workerData as WorkerData | null;
  if (isMainThread || data?.simulation === undefined) return;
  const { task, seed: first, count, jobs, job, options } = data.simulation;
  for (let seed = first + job; seed < first + count; seed += jobs) {
    parentPort?.postMessage({ seed, result: await runTask(task, seed, options) });
  }
}

function runTask(name: string, seed: number, options: unknown): unknown {
  const run = tasks.get(name);
  if (!run) throw new Error(`no task has the name ${name}`);
  return run(seed, options as never);
}

function newPromise<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  // An error ends the loop over the promises; the later ones are not waited for any more.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
