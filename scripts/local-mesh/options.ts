import { parseArgs } from 'node:util';

/** The options of a mesh. */
export interface MeshOptions {
  readonly nodeCount: number;
  readonly probePort: number;
}

/** An argument is invalid. The user gets the message on one line, and the exit code is 2. */
export class MeshUsageError extends Error {}

export const usage = `Usage: npm start -- [--nodes N] [--probe-port PORT]

Starts a real mesh on this machine: for each node an agent and the responder of its health
endpoint, as separate processes on loopback. Node n has the node IP 127.0.1.n and the
health-endpoint IP 127.0.2.n. Ctrl-C stops everything and leaves nothing behind.

  --nodes N          how many nodes, 1 to 50 (default: 4)
  --probe-port PORT  where GET /hello is answered, 1 to 65535 (default: 4240)
  --help             this text

Examples:
  npm start
  npm start -- --nodes 8
  npm start -- --probe-port 14240     # where something else has 4240
`;

/**
 * Reads the arguments.
 * @throws UsageError naming the argument, what was expected and what was got
 */
export function readOptions(argv: readonly string[]): MeshOptions | 'help' {
  const values = parse(argv);
  if (values.help === true) return 'help';
  return {
    nodeCount: wholeNumber('--nodes', values.nodes ?? '4', 50),
    probePort: wholeNumber('--probe-port', values['probe-port'] ?? '4240', 65535),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        nodes: { type: 'string' },
        'probe-port': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    const [firstSentence = ''] = (error as Error).message.split(/[.\n]/);
    throw new MeshUsageError(`${firstSentence} (see --help)`);
  }
}

function wholeNumber(flag: string, text: string, max: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new MeshUsageError(
    `${flag}: expected a whole number from 1 to ${max}, got ${JSON.stringify(text)}`,
  );
}
