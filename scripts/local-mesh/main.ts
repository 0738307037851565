import { MeshError } from './free-addresses.js';
import { runMesh } from './mesh.js';
import { readOptions, usage, MeshUsageError } from './options.js';

/**
 * Resolves at the first signal, or when the reader of the output closes it (`npm start | head`).
 */
const stopAsked = new Promise<undefined>((resolve) => {
  const stop = (): void => resolve(undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.stdout.on('error', stop);
  process.stderr.on('error', stop);
});

async function run(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  const failure = await runMesh(options, stopAsked, process.stdout);
  if (failure === undefined) {
    process.stdout.write('\nStopped; nothing is left behind.\n');
    return 0;
  }
  process.stderr.write(`\nmesh: ${failure}\n`);
  return 1;
}

try {
  process.exit(await run());
} catch (error) {
  const expected = error instanceof MeshUsageError || error instanceof MeshError;
  process.stderr.write(`mesh: ${expected ? error.message : String((error as Error).stack)}\n`);
  process.exit(error instanceof MeshUsageError ? 2 : 1);
}
