import { UsageError } from '../errors.js';

/** What the plug-in was asked for. */
export interface PluginArguments {
  /** Undefined: the only one that has agents. */
  readonly namespace: string | undefined;
  /** Undefined: any node. */
  readonly node: string | undefined;
  /** Flags of kubectl itself, which say which cluster and who asks. */
  readonly kubectlFlags: readonly string[];
  /** The command of the CLI and its arguments, as they were given; empty where there is none. */
  readonly command: readonly string[];
  readonly isHelp: boolean;
  readonly isVersion: boolean;
}

const forKubectl = [
  'kubeconfig',
  'context',
  'cluster',
  'user',
  'as',
  'as-group',
  'request-timeout',
];
const short: Readonly<Record<string, string>> = {
  '-n': '--namespace',
  '-h': '--help',
  '-V': '--version',
};
const namespaceForm = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const nodeForm = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * Reads the flags of the plug-in. All from the first word on that is none of them is for the CLI.
 * @throws UsageError where a flag has no value, or one that cannot be
 */
export function readArguments(argv: readonly string[]): PluginArguments {
  const kubectlFlags: string[] = [];
  let namespace: string | undefined;
  let node: string | undefined;
  let index = 0;
  for (; index < argv.length; index += 1) {
    const [given = '', ...rest] = (argv[index] ?? '').split('=');
    const flag = short[given] ?? given;
    const [isHelp, isVersion] = [flag === '--help', flag === '--version'];
    if (isHelp || isVersion) {
      return { namespace, node, kubectlFlags, command: [], isHelp, isVersion };
    }
    const name = flag.slice(2);
    const isKnown = flag === '--namespace' || flag === '--node' || forKubectl.includes(name);
    if (!flag.startsWith('--') || !isKnown) break;
    const value = rest.length > 0 ? rest.join('=') : argv[(index += 1)];
    if (value === undefined || value === '') {
      throw new UsageError(`${given}: expected a value, got nothing`);
    }
    if (flag === '--namespace') namespace = checkedNamespace(value);
    else if (flag === '--node') node = checked(value, nodeForm, flag, 'the name of a node');
    else kubectlFlags.push(`${flag}=${value}`);
  }
  const command = argv.slice(index);
  return { namespace, node, kubectlFlags, command, isHelp: false, isVersion: false };
}

/** @throws UsageError where it cannot be the name of a namespace */
export function checkedNamespace(value: string): string {
  return checked(value, namespaceForm, '--namespace', 'a namespace');
}

function checked(value: string, form: RegExp, flag: string, expected: string): string {
  if (form.test(value)) return value;
  throw new UsageError(`${flag}: expected ${expected}, got ${JSON.stringify(value)}`);
}

/**
 * Reads the port of `page`.
 * @throws UsageError where it is none, or where there is anything else
 */
export function readPagePort(args: readonly string[]): number | undefined {
  if (args.length === 0) return undefined;
  const text = args.join(' ');
  const port = Number(/^--port[= ](\d{1,5})$/.exec(text)?.[1] ?? NaN);
  if (port >= 1 && port <= 65_535) return port;
  throw new UsageError(
    `page: expected --port with a number from 1 to 65535, got ${JSON.stringify(text)}`,
  );
}
