import { runProgram } from './program.js';

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
// A reader that has seen enough, as head has, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : 1),
);

const { stdout, stderr, env } = process;
process.exitCode = await runProgram(process.argv.slice(2), {
  stdout,
  stderr,
  env,
  signal: stopping.signal,
});
