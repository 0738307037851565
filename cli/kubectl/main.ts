import { runPlugin } from './plugin.js';

// Ctrl-C reaches kubectl too. The plug-in waits for its end, so that the terminal is as it was.
process.on('SIGINT', () => undefined);
// Other signals come to the plug-in alone, and it leaves nothing behind.
const stopping = new AbortController();
for (const name of ['SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort());
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
process.stderr.on('error', () => undefined);

const { stdin, stdout, stderr, env } = process;
void runPlugin(process.argv.slice(2), {
  ...{ stdin, stdout, stderr, env },
  signal: stopping.signal,
}).then((code) => (process.exitCode = code));
