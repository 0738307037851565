import { command, shortName, type Command } from '../commands.js';
import type { DiagnosisNode } from '../nouns/diagnosis-node.js';
import type { DiagnosisTarget } from '../nouns/diagnosis-target.js';
import type { FailureKind } from '../../model/failure.js';
import { serviceTarget } from './explained-by-paths.js';

/** What the commands of a finding about a target are about. */
export interface TargetCommandSubject {
  readonly name: string;
  readonly definition: DiagnosisTarget | undefined;
  /** The DNS server that fails, if it is about one. */
  readonly server: string | undefined;
  /** The node that cannot reach it, where it is one. */
  readonly node: DiagnosisNode | undefined;
  readonly failure: FailureKind | undefined;
  /** The namespace of the agents in Kubernetes; undefined elsewhere. */
  readonly namespace: string | undefined;
}

/** One to three commands that tell more of a target. They can be pasted into a shell. */
export function targetCommands(about: TargetCommandSubject): string[] {
  const { name, definition, server, node, namespace } = about;
  const asked = definition && probeCommand(definition, server, about.failure);
  const there = node?.host[0];
  const onNode = asked !== undefined && there !== undefined ? command`ssh ${there} ` : undefined;
  return [
    command`meshprobe targets ${name}`,
    namespace === undefined ? undefined : kubernetesCommand(about, namespace),
    asked === undefined ? undefined : `${onNode ?? ''}${asked}`,
  ].filter((one) => one !== undefined);
}

function kubernetesCommand({ name, node }: TargetCommandSubject, namespace: string): Command {
  // What translates the addresses of services, and what resolves names, are pods of the node.
  if (node && [serviceTarget, 'api-server', 'cluster-dns'].includes(name)) {
    return command`kubectl -n kube-system get pods -o wide --field-selector spec.nodeName=${shortName(node)}`;
  }
  switch (name) {
    case 'cluster-dns':
      return 'kubectl -n kube-system get endpointslices -l k8s-app=kube-dns';
    case 'api-server':
      return "kubectl get --raw '/readyz?verbose'";
    case serviceTarget:
      return command`kubectl -n ${namespace} get endpointslices`;
    default:
      return undefined;
  }
}

const tlsFailures: ReadonlySet<FailureKind | undefined> = new Set<FailureKind | undefined>([
  'tls-name',
  'tls-expired',
  'tls-untrusted',
]);

function probeCommand(
  { kind, servers, query, type, host, port, tlsName, url }: DiagnosisTarget,
  server: string | undefined,
  failure: FailureKind | undefined,
): Command {
  switch (kind) {
    case 'dns': {
      const [ip, dnsPort] = splitPort(server ?? servers[0]);
      if (ip === undefined) return undefined;
      return dnsPort === undefined
        ? command`dig @${ip} ${query} ${type}`
        : command`dig @${ip} -p ${dnsPort} ${query} ${type}`;
    }
    case 'tcp':
      return command`nc -vz -w 2 ${host} ${port?.toString()}`;
    case 'http':
      return tlsFailures.has(failure)
        ? command`openssl s_client -connect ${joinPort(host, port)} -servername ${tlsName ?? host} -brief`
        : command`curl -v -m 5 -o /dev/null ${url}`;
    case 'icmp':
      return command`ping -c 3 ${host}`;
  }
}

/** An address and its port, if it has one: `10.0.0.1:5353`, `[2001:db8::1]:5353`. */
function splitPort(server: string | undefined): [string | undefined, string | undefined] {
  const bracketed = /^\[(.*)\]:(\d+)$/.exec(server ?? '');
  if (bracketed) return [bracketed[1], bracketed[2]];
  const plain = /^([^:]*):(\d+)$/.exec(server ?? '');
  return plain ? [plain[1], plain[2]] : [server, undefined];
}

function joinPort(host: string | undefined, port: number | undefined): string | undefined {
  if (host === undefined || port === undefined) return undefined;
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}
