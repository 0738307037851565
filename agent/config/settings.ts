import type * as z from 'zod';
import { fullNamePattern, nameForm, namePattern } from '../model/node-name.js';
import { defaultHealthListen } from './listen-address.js';
import { defaultProbePort, namespacePattern } from './read-values.js';
import {
  addresses,
  addressRanges,
  clusterFiles,
  duration,
  group,
  groupLabels,
  hostNames,
  labelSelector,
  listenAddress,
  listenAddressOrOff,
  namespaces,
  oneOf,
  origins,
  socketPath,
  targets,
  text,
  wholeNumber,
  wholeNumberOrOff,
  yesOrNo,
} from './parsers.js';

/** One setting: the same name as a flag, a key of the file and, in capitals, a variable. */
interface Setting {
  readonly schema: z.ZodType;
  readonly value: string;
  readonly help: string;
  readonly default?: string;
  readonly repeatable?: boolean;
  /** The flag may stand alone, which means `true`. */
  readonly mayStandAlone?: boolean;
}

/** The socket that the CLI looks for when it is told nothing. */
export const defaultSocketPath = '/var/run/meshprobe/health.sock';

/**
 * Every setting of the agent, in the order of `--help`. No value is a secret: reports show all of
 * them. What is secret stands in a file, and the setting names the file.
 */
export const settings = {
  'node-name': {
    schema: text(`a node name of ${nameForm}, with or without cluster/`, fullNamePattern),
    value: 'NAME',
    help: 'which listed node this agent is, as NAME or CLUSTER/NAME (default: the host name)',
  },
  'cluster-name': {
    schema: text(`a cluster name of ${nameForm}`, namePattern),
    value: 'NAME',
    help: "this agent's cluster, put before names that have none",
    default: 'default',
  },
  'node-source': {
    schema: oneOf('file', 'kubernetes', 'cilium'),
    value: 'SOURCE',
    help: 'where the nodes come from: file, kubernetes or cilium (default: kubernetes in a pod, unless a nodes file is given; else file)',
  },
  'nodes-file': {
    schema: text('the path of a nodes file'),
    value: 'FILE',
    help: 'the cluster: a YAML or JSON list of nodes, re-read when it changes',
  },
  kubeconfig: {
    schema: text('the path of a kubeconfig'),
    value: 'FILE',
    help: 'how to reach the API server (default: the service account in a pod, else $KUBECONFIG, else ~/.kube/config)',
  },
  context: {
    schema: text('the name of a context'),
    value: 'NAME',
    help: 'which context of the kubeconfig (default: its current-context)',
  },
  'endpoint-source': {
    schema: oneOf('pods', 'ciliumnodes'),
    value: 'SOURCE',
    help: 'whose addresses are probed as health endpoints: pods or ciliumnodes',
    default: 'pods',
  },
  'endpoint-namespace': {
    schema: text('the name of a namespace', namespacePattern),
    value: 'NAME',
    help: "where the endpoint pods are (default: the pod's own namespace, else default)",
  },
  'endpoint-selector': {
    schema: labelSelector(),
    value: 'SELECTOR',
    help: 'the labels of the endpoint pods',
    default: 'app.kubernetes.io/name=meshprobe,app.kubernetes.io/component=endpoint',
  },
  'exclude-selector': {
    schema: labelSelector(),
    value: 'SELECTOR',
    help: 'nodes with such labels are probed, but never counted as failures',
  },
  'group-by': {
    schema: groupLabels(),
    value: 'LABEL,LABEL',
    help: 'the labels that nodes are grouped by, at most 8: findings name what the failing ones have in common; where several have the same nodes, the first is named (default: those of a nodes file; on Kubernetes zone, region, instance type, kernel, os, kubelet, runtime and role)',
  },
  cluster: {
    schema: clusterFiles(),
    value: 'NAME=KUBECONFIG',
    help: 'a further Kubernetes cluster, its nodes named NAME/node; repeatable',
    repeatable: true,
  },
  'cilium-socket': {
    schema: socketPath(),
    value: 'PATH',
    help: 'where the Cilium agent answers, for --node-source cilium',
    default: '/var/run/cilium/cilium.sock',
  },
  'kubernetes-conditions': {
    schema: yesOrNo(),
    value: 'true|false',
    help: 'write what the mesh finds onto the nodes of Kubernetes, as the condition MeshprobeNetworkHealthy',
    default: 'false',
    mayStandAlone: true,
  },
  'kubernetes-events': {
    schema: yesOrNo(),
    value: 'true|false',
    help: 'write one Event for each finding into Kubernetes',
    default: 'false',
    mayStandAlone: true,
  },
  'network-pods': {
    schema: namespaces(),
    value: 'NAMESPACE',
    help: 'a namespace in which kube-proxy or the network plugin runs, such as kube-system: what changes of their pods on this node is told beside findings; it takes the right to list and watch pods there (repeatable; default: none)',
    repeatable: true,
  },
  'notify-file': {
    schema: text('the path of a notify file'),
    value: 'FILE',
    help: 'who is told of findings, one message each from the whole cluster: a YAML or JSON list of receivers (webhook, alertmanager, slack), re-read when it changes',
  },
  'socket-path': {
    schema: socketPath(),
    value: 'PATH',
    help: 'where the CLI reaches this agent',
    default: defaultSocketPath,
  },
  'socket-group': {
    schema: group(),
    value: 'GROUP',
    help: "the group that may use the socket (default: the agent's own group)",
  },
  'state-folder': {
    schema: text('the path of a folder, or off'),
    value: 'PATH|off',
    help: 'where the last node list of Kubernetes or Cilium is kept for a start without them, writable by the agent alone (default: state, beside the socket)',
  },
  'probe-port': {
    schema: wholeNumber(1, 65535),
    value: 'PORT',
    help: 'where responders answer GET /hello, here and on every peer',
    default: String(defaultProbePort),
  },
  'listen-address': {
    schema: addresses(),
    value: 'IP',
    help: "where this agent's responder answers; repeatable (default: every address, both families)",
    repeatable: true,
  },
  'udp-port': {
    schema: wholeNumber(1, 65535),
    value: 'PORT',
    help: 'answer UDP datagrams of listed nodes on this port, and send some to it on every peer: what is lost, overtaken and duplicated, and on which way (default: off)',
  },
  'icmp-interval': {
    schema: duration(50, 3_600_000),
    value: 'DURATION',
    help: 'the shortest time between two ICMP echoes to a path',
    default: '1s',
  },
  'http-interval': {
    schema: duration(50, 3_600_000),
    value: 'DURATION',
    help: 'the shortest time between two GET /hello of a path',
    default: '5s',
  },
  'icmp-budget': {
    schema: wholeNumber(1, 100_000),
    value: 'N',
    help: 'at most this many steady ICMP echoes a second; more paths stretch the interval',
    default: '250',
  },
  'http-budget': {
    schema: wholeNumber(1, 100_000),
    value: 'N',
    help: 'at most this many steady GET /hello a second; more paths stretch the interval',
    default: '40',
  },
  'probe-timeout': {
    schema: duration(10, 60_000),
    value: 'DURATION',
    help: 'the total deadline of one probe',
    default: '1s',
  },
  'icmp-failure-threshold': {
    schema: wholeNumber(1, 100),
    value: 'N',
    help: 'ICMP failures in a row that make a path unreachable',
    default: '3',
  },
  'http-failure-threshold': {
    schema: wholeNumber(1, 100),
    value: 'N',
    help: 'HTTP failures in a row that make a path unreachable',
    default: '3',
  },
  'recovery-threshold': {
    schema: wholeNumber(1, 100),
    value: 'N',
    help: 'answers in a row that bring an unreachable path back',
    default: '2',
  },
  'icmp-engine': {
    schema: oneOf('auto', 'kernel', 'net-ping', 'off'),
    value: 'ENGINE',
    help: 'how ICMP is sent: auto, kernel, net-ping or off',
    default: 'auto',
  },
  'enable-endpoint-health-checking': {
    schema: yesOrNo(),
    value: 'true|false',
    help: "probe the nodes' health endpoints too",
    default: 'true',
  },
  targets: {
    schema: targets(),
    value: 'none|auto',
    help: 'what is probed beside the nodes: auto is, on Kubernetes, its DNS, its API server and the Service of the endpoints; in the configuration file also a list of targets',
    default: 'auto',
  },
  'targets-file': {
    schema: text('the path of a targets file'),
    value: 'FILE',
    help: 'more targets: a YAML or JSON list, re-read when it changes',
  },
  'target-budget': {
    schema: wholeNumber(1, 100_000),
    value: 'N',
    help: 'at most this many probes a second of one target by all agents together; more agents stretch the interval',
    default: '50',
  },
  'target-certificate-warning': {
    schema: wholeNumber(0, 3650),
    value: 'DAYS',
    help: 'a target whose certificate ends within this time is degraded',
    default: '21',
  },
  'cluster-dns': {
    schema: addresses(),
    value: 'IP',
    help: 'a nameserver of the pods of this cluster; repeatable (default: those of resolv.conf, where it is that of a pod)',
    repeatable: true,
  },
  'cluster-domain': {
    schema: text(
      'a domain such as cluster.local',
      /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/,
    ),
    value: 'NAME',
    help: 'the domain of the Services of this cluster (default: that of resolv.conf, where it is that of a pod, else cluster.local)',
  },
  mesh: {
    schema: oneOf('on', 'off'),
    value: 'on|off',
    help: 'tell the other agents what this one sees, and hear what they see, with the GETs that are sent anyway',
    default: 'on',
  },
  'mesh-key-file': {
    schema: text('the path of a key file'),
    value: 'FILE',
    help: 'a secret of all agents, at least 16 bytes, re-read when it changes; a second line is accepted too (default: what agents tell is not authenticated)',
  },
  'mesh-source': {
    schema: addressRanges(),
    value: 'ADDRESS',
    help: 'an address or network, such as 10.0.0.9 or 10.0.0.0/28, from which what other agents tell is taken too, where source addresses are translated on the way; with a mesh key any is (repeatable; default: the node IPs of each alone)',
    repeatable: true,
  },
  'host-signs': {
    schema: oneOf('on', 'off'),
    value: 'on|off',
    help: "read what this host's kernel counts of itself, and tell what is bad in it: tables that are full, packets that are dropped",
    default: 'on',
  },
  'throughput-insecure': {
    schema: yesOrNo(),
    value: 'true|false',
    help: 'take part in throughput tests without a mesh key: any listed node may then ask for one, and who can forge its address',
    default: 'false',
    mayStandAlone: true,
  },
  'api-listen': {
    schema: listenAddress(),
    value: 'HOST:PORT',
    help: 'serve the page and the read-only JSON API over TCP (default: off)',
  },
  'api-token-file': {
    schema: text('the path of a file with a token'),
    value: 'FILE',
    help: 'the token that the API over TCP asks for, re-read when it changes; needed where api-listen is not on loopback',
  },
  'api-insecure': {
    schema: yesOrNo(),
    value: 'true|false',
    help: 'serve the API over TCP without a token also where api-listen is not on loopback',
    default: 'false',
    mayStandAlone: true,
  },
  'api-allowed-host': {
    schema: hostNames(),
    value: 'NAME',
    help: 'a name by which clients may call the API over TCP, as in http://NAME:4242/, beside IP addresses and localhost; repeatable',
    repeatable: true,
  },
  'api-cors-origin': {
    schema: origins(),
    value: 'ORIGIN',
    help: 'an origin such as https://grafana.example.com whose pages may read the API over TCP; repeatable',
    repeatable: true,
  },
  'metrics-listen': {
    schema: listenAddress(),
    value: 'HOST:PORT',
    help: 'serve GET /metrics for Prometheus, and nothing else (default: off)',
  },
  'health-listen': {
    schema: listenAddressOrOff(),
    value: 'HOST:PORT|off',
    help: 'where a kubelet asks for /liveness and /readiness',
    default: defaultHealthListen,
  },
  'readiness-window': {
    schema: duration(0, 86_400_000),
    value: 'DURATION',
    help: 'how long a young agent is not ready while a peer was never reached',
    default: '60s',
  },
  'max-memory-mib': {
    schema: wholeNumberOrOff(16, 1_048_576),
    value: 'MIB',
    help: 'resident memory past which the agent calls itself not alive, -1 for no limit',
    default: '-1',
  },
  'log-level': {
    schema: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    value: 'LEVEL',
    help: 'trace, debug, info, warn, error, fatal or silent',
    default: 'info',
  },
  'log-format': {
    schema: oneOf('json', 'pretty'),
    value: 'FORMAT',
    help: 'json or pretty',
    default: 'json',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** The settings as pairs, each seen through the common shape. */
export const settingEntries = Object.entries(settings) as [SettingName, Setting][];
