import type { FailureKind } from '../../model/failure.js';
import {
  serviceTarget,
  targetsOfServices,
  type DiagnosisTarget,
} from '../nouns/diagnosis-target.js';
import type { TargetSight } from '../life/target-sight-of.js';
import { command, shortName, written, type Command } from './command.js';

/** One to three commands that tell more of a target. They can be pasted into a shell. */
export function targetCommands(sight: TargetSight): string[] {
  const { target, definition, node, failure } = sight;
  const asked = definition && probeCommand(definition, sight.asked, failure);
  const there = node?.host[0];
  const onNode = asked !== undefined && there !== undefined ? command`ssh ${there} ` : undefined;
  return written([
    command`meshprobe targets ${target}`,
    kubernetesCommand(sight),
    asked === undefined ? undefined : `${onNode ?? ''}${asked}`,
  ]);
}

function kubernetesCommand({ target, node, namespace }: TargetSight): Command {
  if (namespace === undefined) return undefined;
  // What translates the addresses of services, and what resolves names, are pods of the node.
  if (node && targetsOfServices.includes(target)) {
    return command`kubectl -n kube-system get pods -o wide --field-selector spec.nodeName=${shortName(node)}`;
  }
  switch (target) {
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
  { kind, query, type, host, port, tlsName, url }: DiagnosisTarget,
  server: string | undefined,
  failure: FailureKind | undefined,
): Command {
  switch (kind) {
    case 'dns': {
      const [ip, dnsPort] = splitPort(server);
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
