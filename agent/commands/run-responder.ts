import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { ConfigError, messageOf } from '../platform/errors.js';
import { LogOutput } from '../platform/log-output.js';
import { formatValue } from '../platform/format-value.js';
import { startResponder } from '../serving/responder/responder.js';
import { runUntilSignal } from '../platform/run-until-signal.js';

const help = `Usage: meshprobe-agent responder [options]

Answers GET /hello and nothing else, for a health endpoint in which no agent runs.

Options:
  --listen-address <IP>  where to answer; repeatable (default: every address, both families)
  --probe-port <PORT>    the port (default: 4240)
  -h, --help             this text

Example:
  meshprobe-agent responder --listen-address 10.244.1.2 --probe-port 4240
`;

/**
 * Runs the responder alone. Nothing heavier than Node's own modules is loaded for it.
 * @throws ConfigError for a bad flag, StartError where an address cannot be listened on
 */
export async function runResponder(argv: readonly string[]): Promise<number> {
  const { addresses, port, wantsHelp } = readFlags(argv);
  if (wantsHelp) {
    process.stdout.write(help);
    return 0;
  }
  const output = new LogOutput(1, (lines) => log('warn')({ lines }, 'log lines were lost'));
  const log = (level: string) => (facts: object, msg: string) => {
    output.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...facts, msg })}\n`);
  };
  return runUntilSignal({ info: log('info'), fatal: log('fatal') }, async (onFailure) => {
    const responder = await startResponder({ addresses, port, onFailure });
    log('info')({ addresses: responder.addresses }, 'responder is answering');
    return () => responder.stop();
  });
}

function readFlags(argv: readonly string[]) {
  const { values } = parse(argv);
  const addresses = (values['listen-address'] ?? []).flatMap((text) => text.split(','));
  const bad = addresses.find((ip) => isIP(ip) === 0 || ip.includes('%'));
  if (bad !== undefined) {
    throw new ConfigError(
      `listen-address: expected an IP address, got ${formatValue(bad)} (flag --listen-address)`,
    );
  }
  const text = values['probe-port'] ?? '4240';
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port >= 1 && port <= 65535)) {
    throw new ConfigError(
      `probe-port: expected a whole number from 1 to 65535, got ${formatValue(text)} (flag --probe-port)`,
    );
  }
  return { addresses, port, wantsHelp: values.help === true };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        'listen-address': { type: 'string', multiple: true },
        'probe-port': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new ConfigError(`${messageOf(error)} (see meshprobe-agent responder --help)`);
  }
}
