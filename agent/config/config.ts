import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { defaultGroupLabels } from '../discovery/kubernetes/group-labels.js';
import { serviceAccountFolder } from '../discovery/kubernetes/kube-access.js';
import type { Cadence } from '../probing/schedule/plan.js';
import type { Protocol } from '../model/sample.js';
import { ConfigError } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';
import { formatListenAddress, isLoopback, meet, type ListenAddress } from './listen-address.js';
import type { NodeSourceConfig } from '../discovery/node-source-config.js';
import {
  buildKubernetesStatusConfig,
  type KubernetesStatusConfig,
} from './kubernetes-status-config.js';
import { buildNetworkPodsConfig, type NetworkPodsConfig } from './network-pods-config.js';
import { buildNodeSourceConfig, type Environment } from './node-source-config.js';
import { settingEntries, type SettingName } from './settings.js';
import { fromEnvironment, fromFile, fromFlags, type SettingValue } from './sources.js';
import { buildTargetsConfig } from './targets-config.js';
import { requireSetting, type Values } from './values.js';
import type { TargetsConfig } from '../targets/definition/targets-config.js';

/** How agents talk to each other. */
export interface MeshConfig {
  /** Undefined: exchanges are not authenticated. */
  readonly keyFile: string | undefined;
  /**
   * Addresses and networks from which messages of any peer may come, beside the host addresses of
   * its node.
   */
  readonly trustedSources: readonly string[];
}

/** All settings of the agent, parsed once and frozen. Times are milliseconds. */
export interface Config {
  /** This agent's own node, as `cluster/name`. */
  readonly localName: string;
  readonly clusterName: string;
  readonly nodeSource: NodeSourceConfig;
  /** The labels by which nodes are grouped. Undefined: those that they have. */
  readonly groupBy: readonly string[] | undefined;
  /** What is written onto the nodes of the own cluster. Undefined: nothing. */
  readonly kubernetesStatus: KubernetesStatusConfig | undefined;
  /** The pods of kube-proxy and the network plugin that are watched on the own node. Undefined: none. */
  readonly networkPods: NetworkPodsConfig | undefined;
  /** The path of the file that says who is told of findings. Undefined: nobody. */
  readonly notifyFile: string | undefined;
  readonly socketPath: string;
  /** The path was not given, so its own folder may be created. */
  readonly socketPathIsDefault: boolean;
  /** Where the last node list is kept; undefined where it is not. */
  readonly stateFolder: string | undefined;
  readonly socketGroup: string | undefined;
  readonly probePort: number;
  /** Undefined: nothing is tested by UDP. */
  readonly udpPort: number | undefined;
  /** Empty means every address of both families. */
  readonly listenAddresses: readonly string[];
  readonly cadence: { readonly icmp: Cadence; readonly http: Cadence };
  readonly icmpEngine: 'auto' | 'kernel' | 'net-ping' | 'off';
  readonly probeEndpoints: boolean;
  readonly targets: TargetsConfig;
  /** A certificate that ends within this time makes its target degraded. */
  readonly certificateWarningMs: number;
  /** Undefined: agents exchange nothing. */
  readonly mesh: MeshConfig | undefined;
  /** Whether the counters of this host are read. */
  readonly hostSigns: boolean;
  /** Whether throughput tests are made and taken part in without a mesh key. */
  readonly throughputIsInsecure: boolean;
  readonly apiListen: ListenAddress | undefined;
  /** Undefined: the API over TCP asks for no token. */
  readonly apiTokenFile: string | undefined;
  /** Names that the Host header may have, over TCP, beside IP addresses and localhost. */
  readonly apiAllowedHosts: readonly string[];
  /** Origins whose pages may read the API over TCP. */
  readonly apiCorsOrigins: readonly string[];
  readonly metricsListen: ListenAddress | undefined;
  /** Undefined: no health port. */
  readonly healthListen: ListenAddress | undefined;
  /** The health port was not given, so another agent of this host may have it. */
  readonly healthListenIsDefault: boolean;
  readonly readinessWindowMs: number;
  /** Undefined: no limit. */
  readonly maxMemoryMib: number | undefined;
  readonly logLevel: string;
  readonly logFormat: 'json' | 'pretty';
  /** Every setting that has a value, as it was given, and where: for reports. */
  readonly given: Readonly<Record<string, SettingValue>>;
}

const schema = z.strictObject(
  Object.fromEntries(settingEntries.map(([name, setting]) => [name, setting.schema.optional()])),
);

/**
 * Merges defaults, the YAML file, the environment and the flags, and parses the result once. Each
 * of these wins over the ones before it.
 * @param serviceAccount where a pod finds its own identity
 * @throws ConfigError with one line per mistake: the key, what was expected, what was got, and
 * where
 */
export function loadConfig(
  flags: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
  serviceAccount = serviceAccountFolder,
): Config {
  const { config: configFlag, ...settingFlags } = flags;
  const file = configFlag ?? environment['MESHPROBE_CONFIG'];
  const given = new Map<string, SettingValue>([
    ...settingEntries.flatMap(([name, { default: value }]): [string, SettingValue][] =>
      value === undefined ? [] : [[name, { value, origin: 'default' }]],
    ),
    ...(typeof file === 'string' && file !== '' ? fromFile(file) : []),
    ...fromEnvironment(environment),
    ...fromFlags(settingFlags),
  ]);
  const raw = Object.fromEntries([...given].map(([name, { value }]) => [name, value]));
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw new ConfigError(explain(parsed.error, given));
  const values = parsed.data as Values;
  const host = { environment, serviceAccount };
  return Object.freeze(buildConfig(values, given, host));
}

function explain(error: z.ZodError, given: ReadonlyMap<string, SettingValue>): string {
  const lines = error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      const [key, ...place] = issue.path.map(String);
      const origin = given.get(key ?? '')?.origin ?? 'not given';
      return [`${key ?? ''}${place.join('')}: ${issue.message} (${origin})`];
    }
    return issue.keys.map(
      (key) =>
        `${key.startsWith('MESHPROBE_') ? key : formatValue(key).slice(1, -1)}: unknown setting, expected one of those in --help (${given.get(key)?.origin ?? ''})`,
    );
  });
  return lines.join('\n');
}

function buildConfig(
  values: Values,
  given: ReadonlyMap<string, SettingValue>,
  host: Environment,
): Config {
  const need = <K extends SettingName>(name: K) => requireSetting(values, name);
  const cadence = (protocol: Protocol): Cadence =>
    Object.freeze({
      intervalMs: need(`${protocol}-interval`),
      budgetPerSecond: need(`${protocol}-budget`),
      timeoutMs: need('probe-timeout'),
      failureThreshold: need(`${protocol}-failure-threshold`),
      recoveryThreshold: need('recovery-threshold'),
    });
  const { clusterName, localName } = identity(values, given);
  const nodeSource = Object.freeze(buildNodeSourceConfig(values, clusterName, host));
  refuseSharedPorts(values, given);
  return {
    localName,
    clusterName,
    nodeSource,
    groupBy:
      values['group-by'] ?? (nodeSource.kind === 'kubernetes' ? defaultGroupLabels : undefined),
    kubernetesStatus: buildKubernetesStatusConfig(values, nodeSource, clusterName),
    networkPods: buildNetworkPodsConfig(values, nodeSource, clusterName),
    notifyFile: buildNotifyFile(values),
    socketPath: need('socket-path'),
    socketPathIsDefault: given.get('socket-path')?.origin === 'default',
    stateFolder: unlessOff(values['state-folder'] ?? join(dirname(need('socket-path')), 'state')),
    socketGroup: values['socket-group'],
    probePort: need('probe-port'),
    udpPort: values['udp-port'],
    listenAddresses: Object.freeze(values['listen-address'] ?? []),
    cadence: Object.freeze({ icmp: cadence('icmp'), http: cadence('http') }),
    icmpEngine: need('icmp-engine'),
    probeEndpoints: need('enable-endpoint-health-checking'),
    targets: Object.freeze(buildTargetsConfig(values, nodeSource, host)),
    certificateWarningMs: requireSetting(values, 'target-certificate-warning') * 86_400_000,
    mesh:
      need('mesh') === 'off'
        ? undefined
        : {
            keyFile: values['mesh-key-file'],
            trustedSources: values['mesh-source'] ?? [],
          },
    hostSigns: need('host-signs') === 'on',
    throughputIsInsecure: need('throughput-insecure'),
    apiListen: safeApiListen(values),
    apiTokenFile: values['api-token-file'],
    apiAllowedHosts: Object.freeze(values['api-allowed-host'] ?? []),
    apiCorsOrigins: Object.freeze(values['api-cors-origin'] ?? []),
    metricsListen: values['metrics-listen'],
    healthListen: unlessOff(need('health-listen')),
    healthListenIsDefault: given.get('health-listen')?.origin === 'default',
    readinessWindowMs: need('readiness-window'),
    maxMemoryMib: unlessOff(need('max-memory-mib')),
    logLevel: need('log-level'),
    logFormat: need('log-format'),
    given: Object.freeze(Object.fromEntries(given)),
  };
}

/** Without a mesh each agent would tell of what it alone sees. */
function buildNotifyFile(values: Values): string | undefined {
  const file = values['notify-file'];
  if (file === undefined || values.mesh !== 'off') return file;
  throw new ConfigError('notify-file: expected it with mesh on, got it with mesh off');
}

/** Only users of this host reach a loopback address. Everyone else must send a token. */
function safeApiListen(values: Values): ListenAddress | undefined {
  const at = values['api-listen'];
  const isGuarded = values['api-token-file'] !== undefined || values['api-insecure'] === true;
  if (!at || isLoopback(at) || isGuarded) return at;
  throw new ConfigError(
    `api-listen: expected a loopback address, or --api-token-file FILE, or --api-insecure, got ${formatListenAddress(at)} alone`,
  );
}

const listeners = ['api-listen', 'metrics-listen', 'health-listen'] as const;

/** Two listeners of one agent on one port: the second could not start. */
function refuseSharedPorts(values: Values, given: ReadonlyMap<string, SettingValue>): void {
  const at = listeners.flatMap((name) => {
    const address = values[name];
    // Where the default of the health port is taken, the agent goes on without it.
    const isChosen = given.get(name)?.origin !== 'default';
    return address && address !== 'off' && isChosen ? [{ name, address }] : [];
  });
  for (const [index, { name, address }] of at.entries()) {
    const other = at.slice(0, index).find((one) => meet(one.address, address));
    if (!other) continue;
    throw new ConfigError(
      `${name}: expected another address than that of ${other.name}, got ${formatListenAddress(address)}`,
    );
  }
}

function unlessOff<T>(value: T | 'off'): T | undefined {
  return value === 'off' ? undefined : value;
}

/** A node name may include the cluster's name. If both are given, they must agree. */
function identity(values: Values, given: ReadonlyMap<string, SettingValue>) {
  const nodeName = values['node-name'] ?? hostname();
  const [name = '', carried] = nodeName.split('/').reverse();
  const clusterName = values['cluster-name'] ?? 'default';
  const wasGiven = given.get('cluster-name')?.origin !== 'default';
  if (carried !== undefined && wasGiven && carried !== clusterName) {
    throw new ConfigError(
      `node-name: expected a node of cluster ${formatValue(clusterName)} (cluster-name), got ${formatValue(nodeName)}`,
    );
  }
  const cluster = carried ?? clusterName;
  return { clusterName: cluster, localName: `${cluster}/${name}` };
}
