import type { Plane } from '../model/path.js';
import type { DiagnosisNode } from './nouns/diagnosis-node.js';
import type { FindingKind } from './nouns/finding.js';

/** What the commands of a finding are about. */
export interface CommandSubject {
  readonly kind: FindingKind;
  /** The node that the finding is about, or one of the nodes that are not reached. */
  readonly to: DiagnosisNode | undefined;
  /** A node that does not reach `to`. */
  readonly from: DiagnosisNode | undefined;
  readonly probePort: number;
  readonly namespace: string | undefined;
  /** The finding is about the whole cluster. */
  readonly isEverywhere: boolean;
  /** The plane of the finding, if it is about one. */
  readonly plane?: Plane | undefined;
}

/**
 * One to three commands that tell more. They have the real names and addresses, and can be pasted
 * into a shell.
 */
export function nextCommands(about: CommandSubject): string[] {
  return candidates(about)
    .filter((command) => command !== undefined)
    .slice(0, 3);
}

/** A command; undefined where it cannot be written. */
export type Command = string | undefined;

function candidates({
  kind,
  to,
  from,
  probePort,
  namespace,
  isEverywhere,
  plane,
}: CommandSubject): Command[] {
  const [host, endpoint] = [to?.host[0], to?.endpoint[0]];
  const fromHost = from?.host[0];
  const inCluster = namespace !== undefined;
  const pods = inCluster
    ? command`kubectl -n ${namespace} get pods -o wide --field-selector spec.nodeName=${shortName(to)}`
    : undefined;
  const node = inCluster ? command`kubectl get node ${shortName(to)} -o wide` : undefined;
  const ping = (ip: string | undefined) => command`ping -c 3 ${ip}`;
  const get = (ip: string | undefined) => command`curl -m 2 ${urlOf(ip, probePort)}`;
  const rules = command`ssh ${host} sudo nft list ruleset`;
  switch (kind) {
    case 'node-down':
      return [node, ping(host), ping(endpoint)];
    case 'node-isolated':
      return [ping(host), rules, node ?? get(host)];
    case 'agent-down':
      return [pods, get(host), command`ssh ${host} sudo ss -ltnp sport = :${String(probePort)}`];
    case 'endpoint-down':
      return [pods, get(endpoint), ping(endpoint)];
    case 'host-plane':
      return [ping(host), get(host), rules];
    case 'endpoint-plane':
      return isEverywhere
        ? [inCluster ? 'kubectl -n kube-system get pods -o wide' : undefined, ping(endpoint)]
        : [pods, ping(endpoint), command`ssh ${fromHost} ip route get ${endpoint}`];
    case 'icmp-filtered':
      return [ping(host), ping(endpoint), rules];
    case 'http-filtered':
      return [get(host), get(endpoint), inCluster ? 'kubectl get networkpolicies -A' : rules];
    case 'zones':
    case 'pair':
      return [
        command`ssh ${fromHost} ping -c 3 ${host}`,
        command`ssh ${fromHost} ip route get ${endpoint ?? host}`,
        command`ssh ${fromHost} traceroute -n ${host}`,
      ];
    case 'lossy':
      return [
        command`ssh ${fromHost} ping -c 100 -i 0.2 ${host}`,
        command`ssh ${host} ip -s link`,
        command`ssh ${fromHost} ip -s link`,
      ];
    case 'slow':
      return [
        command`ssh ${fromHost} ping -c 20 -i 0.2 ${host}`,
        command`ssh ${fromHost} traceroute -n ${host}`,
        command`ssh ${host} uptime`,
      ];
    case 'mtu': {
      const ip = plane === 'endpoint' ? endpoint : host;
      return [
        plane === 'endpoint'
          ? command`meshprobe mtu ${to?.name} --endpoint`
          : command`meshprobe mtu ${to?.name}`,
        command`ssh ${fromHost} tracepath -n ${ip}`,
        command`ssh ${fromHost} ip -d link`,
      ];
    }
    case 'observers-missing':
      return [pods, get(host)];
    // Their commands are in targets/target-commands.ts.
    case 'target-down':
    case 'target-unreachable':
    case 'target-slow':
    case 'target-lossy':
      return [];
    case 'not-listed':
      return [inCluster ? 'kubectl get nodes -o wide' : undefined, 'hostname', 'hostname --fqdn'];
  }
}

/** Accepts only what neither a shell nor a program takes for more than a name. */
const plain = /^[A-Za-z0-9[][A-Za-z0-9._:/@[\]-]*$/;

/**
 * The command; undefined if a part is missing or is not a plain word, because names may be
 * anything.
 */
export function command(texts: TemplateStringsArray, ...parts: (string | undefined)[]): Command {
  if (parts.some((part) => part === undefined || !plain.test(part))) return undefined;
  return String.raw({ raw: texts }, ...parts.map((part) => quote(part ?? '')));
}

/** The shell would read brackets as a pattern. */
function quote(word: string): string {
  return /[[\]]/.test(word) ? `'${word}'` : word;
}

/** The name of a node without its cluster. */
export function shortName(node: DiagnosisNode | undefined): string | undefined {
  return node?.name.slice(node.name.lastIndexOf('/') + 1);
}

function urlOf(ip: string | undefined, port: number): string | undefined {
  if (ip === undefined) return undefined;
  return `http://${ip.includes(':') ? `[${ip}]` : ip}:${port}/hello`;
}
