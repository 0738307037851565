import type { FailureKind } from '../../model/failure.js';
import { hostAndPort, serverAddressOf } from '../../model/host-and-port.js';
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

function probeCommand(
  { kind, query, type, host, port, tlsName, url }: DiagnosisTarget,
  server: string | undefined,
  failure: FailureKind | undefined,
): Command {
  const end = host === undefined || port === undefined ? undefined : hostAndPort(host, port);
  switch (kind) {
    case 'dns': {
      if (server === undefined) return undefined;
      const at = serverAddressOf(server);
      return at.port === 53
        ? command`dig @${at.ip} ${query} ${type}`
        : command`dig @${at.ip} -p ${String(at.port)} ${query} ${type}`;
    }
    case 'tcp':
      return command`nc -vz -w 2 ${host} ${port?.toString()}`;
    case 'http':
      return failure?.startsWith('tls-') === true
        ? command`openssl s_client -connect ${end} -servername ${tlsName ?? host} -brief`
        : command`curl -v -m 5 -o /dev/null ${url}`;
    case 'icmp':
      return command`ping -c 3 ${host}`;
  }
}
