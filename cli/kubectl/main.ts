import { runPlugin } from './plugin.js';

// Ctrl-C reaches kubectl too. The plug-in waits for its end, so that the terminal is as it was.
process.on('SIGINT', () => undefined);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
process.stderr.on('error', () => undefined);

const { stdin, stdout, stderr, env } = process;
process.exitCode = await runPlugin(process.argv.slice(2), { stdin, stdout, stderr, env });
