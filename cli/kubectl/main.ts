import { runPlugin } from './plugin.js';

declare const __MANIFESTS__: Readonly<Record<string, string>>;

// Ctrl-C reaches kubectl too. The plug-in waits for its end, so that the terminal is as it was. Other
// signals come to the plug-in alone, and it leaves nothing behind.
const stopping = new AbortController();
const first = new AbortController();
const second = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (name !== 'SIGINT') stopping.abort();
    (first.signal.aborted ? second : first).abort();
  });
}
/** Nobody reads any more: what goes on is ended, and what was made is removed. */
let outputCode: number | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  outputCode = error.code === 'EPIPE' ? 0 : 1;
  stopping.abort();
});
process.stderr.on('error', () => undefined);

const { stdin, stdout, stderr, env } = process;
const io = {
  stdin,
  stdout,
  stderr,
  env,
  signal: stopping.signal,
  interrupted: first.signal,
  interruptedAgain: second.signal,
};
void runPlugin(process.argv.slice(2), io, __MANIFESTS__).then(
  (code) => (process.exitCode = outputCode ?? code),
);
