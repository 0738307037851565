import { request, type IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { parseDurationMs } from '../../api/duration.js';
import {
  defaultHealthListen,
  formatListenAddress,
  listenAddressForm,
  parseListenAddress,
  type ListenAddress,
} from '../config/listen-address.js';
import { codeOf, ConfigError, messageOf } from '../platform/errors.js';
import { exitCodes } from '../platform/exit-codes.js';
import { escapeControls, formatValue } from '../platform/format-value.js';

/** The text of `meshprobe-agent check --help`. */
export const checkHelp = `Usage: meshprobe-agent check --live --ready [options]

Asks the health port of the agent on this host, for exec probes and scripts. Exit code 0 and one line
where all that was asked for is well, 1 with one line per failure, 2 for a bad flag.

Options:
  --live                     ask whether it is alive (a restart would help where not)
  --ready                    ask whether it is ready
  --timeout <DURATION>       for all of it, 1ms to 10m (default: 5s)
  --health-listen <HOST:PORT>
                             the agent's health port (or MESHPROBE_HEALTH_LISTEN;
                             default: ${defaultHealthListen})
  -h, --help                 this text

Examples:
  meshprobe-agent check --live
  meshprobe-agent check --live --ready --timeout 5s
  meshprobe-agent check --ready --health-listen 198.51.100.1:4241
`;

const maxBodyBytes = 256 * 1024;
const paths = { live: '/liveness', ready: '/readiness' } as const;
type Kind = keyof typeof paths;

interface CheckFlags {
  readonly kinds: readonly Kind[];
  readonly at: ListenAddress;
  readonly timeoutMs: number;
}

/**
 * Asks for liveness and readiness at once and writes one line to standard error for each failure, or to standard output
 * what is well.
 * It loads only Node's own modules.
 * @throws ConfigError for a bad flag, or where nothing is asked for
 */
export async function runCheck(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const flags = readFlags(argv, environment);
  if (flags === 'help') {
    process.stdout.write(checkHelp);
    return 0;
  }
  const failures = await Promise.all(flags.kinds.map((kind) => askFor(kind, flags)));
  for (const line of failures.flat()) process.stderr.write(`${line}\n`);
  if (failures.flat().length > 0) return exitCodes.failed;
  process.stdout.write(`${flags.kinds.join(' and ')}\n`);
  return 0;
}

/** The failures, one line each; empty if all is well. */
async function askFor(kind: Kind, { at, timeoutMs }: CheckFlags): Promise<string[]> {
  try {
    const { status, body } = await ask(at, paths[kind], timeoutMs);
    if (status === 200) return [];
    const reasons = status === 503 ? reasonsIn(body) : [];
    const words = reasons.length > 0 ? reasons : [`${formatListenAddress(at)} answered ${status}`];
    return words.map((reason) => `not ${kind}: ${escapeControls(reason)}`);
  } catch (error) {
    return [`not ${kind}: ${escapeControls(messageOf(error))}`];
  }
}

function ask(
  { host, port }: ListenAddress,
  path: string,
  timeoutMs: number,
): Promise<{ status: number; body: string }> {
  const where = formatListenAddress({ host, port });
  return new Promise((resolve, reject) => {
    const asked = request({ host: addressToConnect(host), port, path, agent: false });
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      finish();
      asked.destroy();
    };
    const fail = (words: string): void => end(() => reject(new Error(words)));
    const timer = setTimeout(
      () => fail(`${where} did not answer within ${timeoutMs} ms`),
      timeoutMs,
    );
    asked.on('error', (error) => {
      const refused = codeOf(error) === 'ECONNREFUSED';
      fail(refused ? `nothing listens on ${where}` : `${where}: ${error.message}`);
    });
    asked.on('response', (answer: IncomingMessage) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
        if (body.length > maxBodyBytes) fail(`${where} answered more than ${maxBodyBytes} bytes`);
      });
      answer.on('error', () => fail(`${where} broke off its answer`));
      answer.on('end', () => end(() => resolve({ status: answer.statusCode ?? 0, body })));
    });
    asked.end();
  });
}

/** A listener on all addresses is asked on loopback. */
function addressToConnect(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function reasonsIn(body: string): string[] {
  try {
    const { reasons } = JSON.parse(body) as { reasons?: unknown };
    if (!Array.isArray(reasons)) return [];
    return reasons.filter((reason) => typeof reason === 'string');
  } catch {
    return [];
  }
}

function readFlags(argv: readonly string[], environment: NodeJS.ProcessEnv): CheckFlags | 'help' {
  const values = parse(argv);
  if (values.help === true) return 'help';
  const kinds = (['live', 'ready'] as const).filter((kind) => values[kind] === true);
  if (kinds.length === 0) {
    throw new ConfigError(
      'check: expected --live, --ready or both, got neither (see meshprobe-agent check --help)',
    );
  }
  const timeout = values.timeout ?? '5s';
  const timeoutMs = parseDurationMs(timeout) ?? NaN;
  if (!(timeoutMs >= 1 && timeoutMs <= 600_000)) {
    throw new ConfigError(
      `timeout: expected a duration such as 500ms or 5s, from 1ms to 10m, got ${formatValue(timeout)} (flag --timeout)`,
    );
  }
  const variable = environment['MESHPROBE_HEALTH_LISTEN'] ?? '';
  const fromFlag = values['health-listen'] !== undefined;
  const text = values['health-listen'] ?? (variable === '' ? defaultHealthListen : variable);
  const at = parseListenAddress(text);
  if (at === undefined || at.port === 0) {
    const origin = fromFlag
      ? 'flag --health-listen'
      : 'environment variable MESHPROBE_HEALTH_LISTEN';
    throw new ConfigError(
      `health-listen: expected ${listenAddressForm}, got ${formatValue(text)} (${origin})`,
    );
  }
  return { kinds, at, timeoutMs };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        live: { type: 'boolean' },
        ready: { type: 'boolean' },
        timeout: { type: 'string' },
        'health-listen': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new ConfigError(`${messageOf(error)} (see meshprobe-agent check --help)`);
  }
}
