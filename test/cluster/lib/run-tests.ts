import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/sources.js';
import { endCluster } from './down.js';
import { inControl, kubeconfig, programsFolder, stateFolder } from './place.js';
import { whyNoCluster } from './requirements.js';
import { startCluster } from './up.js';

const vitest = [
  process.execPath,
  join(root, 'scripts', 'test.js'),
  '--config',
  join(root, 'test/cluster/vitest.config.ts'),
] as const;

/**
 * Runs the tests of test/cluster beside the API server of a cluster: the one that `npm run cluster -- up` started, or
 * one of their own, which is gone afterwards. With a kubeconfig of another cluster only those run that change nothing.
 * @returns the exit code
 */
export async function runTests(argv: readonly string[]): Promise<number> {
  if (process.env['KUBECONFIG']) return run([...vitest, 'list-watch', ...argv]);
  const baseImage = process.env['NODE_IMAGE'];
  const missing = whyNoCluster(baseImage !== undefined);
  if (missing !== undefined) {
    process.stdout.write(`skipped: no cluster can be started here: ${missing}\n`);
    process.stdout.write('0 passed, 0 failed, 1 skipped\n');
    return 0;
  }
  const isOurs = !existsSync(stateFolder);
  try {
    if (isOurs) {
      const startedMs = performance.now();
      const options = { nodes: 4, ...(baseImage !== undefined && { baseImage }) };
      await startCluster(options, (line) => process.stdout.write(`cluster: ${line}\n`));
      const seconds = (performance.now() - startedMs) / 1000;
      process.stdout.write(
        `tried: four nodes are Ready and CoreDNS answers: ${seconds.toFixed(1)} s\n`,
      );
    }
    return await run(inControl([...vitest, ...argv]));
  } finally {
    if (isOurs) await endCluster();
  }
}

/** Runs a command with the terminal of this one; a signal goes to both, and this one waits for the end. */
async function run([program, ...args]: readonly [string, ...string[]]): Promise<number> {
  const env = {
    KUBECONFIG: kubeconfig,
    ...process.env,
    PATH: `${programsFolder}:${process.env['PATH'] ?? ''}`,
  };
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
