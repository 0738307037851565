import { parseArgs } from 'node:util';
import {
  defaultProbePort,
  listenAddressesForm,
  readAddresses,
  readWholeNumber,
  variableOf,
} from '../config/read-values.js';
import { ConfigError, messageOf } from '../platform/errors.js';
import { LogOutput } from '../platform/log-output.js';
import { formatValue } from '../platform/format-value.js';
import { startResponder } from '../serving/responder/responder.js';
import { runUntilSignal } from '../platform/run-until-signal.js';

/** The text of `meshprobe-agent responder --help`. */
export const responderHelp = `Usage: meshprobe-agent responder [options]

Answers GET /hello and nothing else, for a health endpoint in which no agent runs.

Options:
  --listen-address <IP>  where to answer; repeatable (or MESHPROBE_LISTEN_ADDRESS;
                         default: every address, both families)
  --probe-port <PORT>    the port (or MESHPROBE_PROBE_PORT; default: ${defaultProbePort})
  -h, --help             this text

Example:
  meshprobe-agent responder --listen-address 10.244.1.2 --probe-port 4240
`;

/**
 * Runs the responder alone. It loads only Node's own modules.
 * @throws ConfigError for a bad flag, StartError where an address cannot be listened on
 */
export async function runResponder(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { addresses, port, wantsHelp } = readFlags(argv, environment);
  if (wantsHelp) {
    process.stdout.write(responderHelp);
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

function readFlags(argv: readonly string[], environment: NodeJS.ProcessEnv) {
  const { values } = parse(argv);
  const listen = given(values['listen-address']?.join(','), environment, 'listen-address');
  const addresses = listen.text === undefined ? [] : readAddresses(listen.text);
  if (addresses === undefined) refuse('listen-address', listenAddressesForm, listen);
  const probePort = given(values['probe-port'], environment, 'probe-port');
  const port = readWholeNumber(probePort.text ?? defaultProbePort, 1, 65535);
  if (port === undefined) refuse('probe-port', 'a whole number from 1 to 65535', probePort);
  return { addresses, port, wantsHelp: values.help === true };
}

interface Given {
  readonly text: string | undefined;
  readonly origin: string;
}

/** A flag wins over its variable. An empty variable counts as not set. */
function given(flag: string | undefined, environment: NodeJS.ProcessEnv, name: string): Given {
  if (flag !== undefined) return { text: flag, origin: `flag --${name}` };
  const variable = variableOf(name);
  const text = environment[variable] === '' ? undefined : environment[variable];
  return { text, origin: `environment variable ${variable}` };
}

function refuse(name: string, expected: string, { text, origin }: Given): never {
  throw new ConfigError(`${name}: expected ${expected}, got ${formatValue(text)} (${origin})`);
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
