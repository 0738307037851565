import { addAbortSignal } from 'node:stream';
import { runProgram } from './program.js';

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader may stop early, as `head` does. This is not an error.
  if (error.code === 'EPIPE') process.exit(0);
  const why = error.code === 'ENOSPC' ? 'no space left' : error.message;
  process.stderr.write(`meshprobe: the output could not be written: ${why}\n`, () =>
    process.exit(1),
  );
});
// If stderr cannot be written, the exit code still reports the failure.
process.stderr.on('error', () => undefined);

const { stdout, stderr, env } = process;
void runProgram(process.argv.slice(2), {
  stdout,
  stderr,
  stdin: () => addAbortSignal(stopping.signal, process.stdin),
  env,
  signal: stopping.signal,
}).then((code) => {
  process.exitCode = code;
  // Without an exit V8 cleans the heap before the loop ends: 20 ms after the status of 5,000 nodes. All
  // that was written before an empty write has left when it is done.
  stdout.write('', (failed) => {
    if (!failed) stderr.write('', () => process.exit());
  });
});
