import { ConfigError, messageOf, StartError } from './platform/errors.js';
import { exitCodes } from './platform/exit-codes.js';

const [command, ...rest] = process.argv.slice(2);

// Each command loads only what it needs: the responder is to stay small, the agent to start fast.
async function run(): Promise<number> {
  if (command === 'responder') {
    const { runResponder } = await import('./commands/run-responder.js');
    return runResponder(rest, process.env);
  }
  if (command === 'check') {
    const { runCheck } = await import('./commands/run-check.js');
    return runCheck(rest, process.env);
  }
  const { runAgent } = await import('./commands/run-agent.js');
  return runAgent(process.argv.slice(2), {
    nodesFileWorker: new URL('./nodes-file-worker.js', import.meta.url),
    pageFolder: new URL('../page/', import.meta.url),
  });
}

// Where a message cannot be written, the exit code still says it.
process.stderr.on('error', () => undefined);

try {
  process.exit(await run());
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof StartError;
  console.error(
    `meshprobe-agent: ${expected || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message)}`,
  );
  process.exit(error instanceof ConfigError ? exitCodes.usage : exitCodes.failed);
}
