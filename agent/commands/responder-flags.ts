import { parseArgs } from 'node:util';
import {
  defaultProbePort,
  isServiceLink,
  listenAddressesForm,
  readAddresses,
  readAddressRanges,
  readWholeNumber,
  variableOf,
} from '../config/read-values.js';
import { isNodeName, nameForm } from '../model/node-name.js';
import { ConfigError, messageOf } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';

/** What the responder was told. */
export interface ResponderFlags {
  readonly wantsHelp: boolean;
  readonly addresses: readonly string[];
  readonly port: number;
  /** Undefined: no datagram is answered. */
  readonly udpPort: number | undefined;
  /** The node that it runs on; undefined where it was not told. */
  readonly nodeName: string | undefined;
  readonly targets: 'none' | 'auto';
  readonly targetsFile: string | undefined;
  readonly targetBudget: number;
  readonly clusterDns: readonly string[];
  readonly clusterDomain: string | undefined;
  readonly meshKeyFile: string | undefined;
  /** Whether to take part in throughput tests without a mesh key. */
  readonly throughputIsInsecure: boolean;
  /** Where the agent of this node may send from. */
  readonly agentSources: readonly string[];
}

/** Whether this process runs in a pod of Kubernetes. */
export function isInPod(environment: NodeJS.ProcessEnv): boolean {
  return (environment['KUBERNETES_SERVICE_HOST'] ?? '') !== '';
}

/** Whether there may be targets to probe. */
export function hasTargets(flags: ResponderFlags, environment: NodeJS.ProcessEnv): boolean {
  return flags.targetsFile !== undefined || (flags.targets === 'auto' && isInPod(environment));
}

const domainPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/**
 * Reads the flags, and of those that are not given the variables. An empty variable counts as not set.
 * @throws ConfigError that says what was expected, what was got, and where
 */
export function readResponderFlags(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): ResponderFlags {
  const { values } = parse(argv);
  const read = <T>(name: Setting, expected: string, take: (text: string) => T | undefined) => {
    const flag = values[name];
    const variable = variableOf(name);
    const raw = Array.isArray(flag) ? flag.join(',') : flag?.toString();
    const given = environment[variable] ?? '';
    const text = raw ?? (given === '' || isServiceLink(variable, given) ? undefined : given);
    if (text === undefined) return undefined;
    const value = take(text);
    if (value !== undefined) return value;
    const origin = raw === undefined ? `environment variable ${variable}` : `flag --${name}`;
    throw new ConfigError(`${name}: expected ${expected}, got ${formatValue(text)} (${origin})`);
  };
  const path = (name: Setting) => read(name, 'a path', (text) => (text === '' ? undefined : text));
  const number = (name: Setting, min: number, max: number, standard: number): number =>
    read(name, `a whole number from ${min} to ${max}`, (text) => readWholeNumber(text, min, max)) ??
    standard;
  return {
    wantsHelp: values.help === true,
    addresses: read('listen-address', listenAddressesForm, readAddresses) ?? [],
    port: number('probe-port', 1, 65535, defaultProbePort),
    udpPort: read('udp-port', 'a whole number from 1 to 65535', (text) =>
      readWholeNumber(text, 1, 65535),
    ),
    nodeName: read('node-name', `a node name of ${nameForm}, with or without cluster/`, (text) =>
      isNodeName(text) ? text : undefined,
    ),
    targets:
      read('targets', 'none or auto', (text) =>
        text === 'none' || text === 'auto' ? text : undefined,
      ) ?? 'auto',
    targetsFile: path('targets-file'),
    targetBudget: number('target-budget', 1, 100_000, 50),
    clusterDns: read('cluster-dns', 'one or more IP addresses', readAddresses) ?? [],
    clusterDomain: read('cluster-domain', 'a domain such as cluster.local', (text) =>
      domainPattern.test(text) ? text : undefined,
    ),
    meshKeyFile: path('mesh-key-file'),
    throughputIsInsecure:
      read('throughput-insecure', 'true or false', (text) =>
        text === 'true' || text === 'false' ? text === 'true' : undefined,
      ) ?? false,
    agentSources:
      read('agent-source', 'one or more IP addresses or networks', readAddressRanges) ?? [],
  };
}

const options = {
  'listen-address': { type: 'string', multiple: true },
  'probe-port': { type: 'string' },
  'udp-port': { type: 'string' },
  'node-name': { type: 'string' },
  targets: { type: 'string' },
  'targets-file': { type: 'string' },
  'target-budget': { type: 'string' },
  'cluster-dns': { type: 'string', multiple: true },
  'cluster-domain': { type: 'string' },
  'mesh-key-file': { type: 'string' },
  'throughput-insecure': { type: 'boolean' },
  'agent-source': { type: 'string', multiple: true },
} as const;

type Setting = keyof typeof options;

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new ConfigError(`${messageOf(error)} (see meshprobe-agent responder --help)`);
  }
}
