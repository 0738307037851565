import { hostAndPort } from '../../model/host-and-port.js';
import type { PathSight } from '../life/path-sight.js';
import { planeOf } from '../nouns/channel-mask.js';
import type { DiagnosisNode } from '../nouns/diagnosis-node.js';
import { channelsBeside } from './of-nodes.js';
import { isRefused } from './waits.js';

/** What the commands of a finding about paths are about. */
export type CommandSubject = ReturnType<typeof commandSubject>;

/**
 * What the commands of a finding, or of many that are told as one, are about.
 * @param to the node that the finding is about, or one of the nodes that are not reached
 * @param mask the channels that fail
 */
export function commandSubject(sight: PathSight, to: DiagnosisNode | undefined, mask: number) {
  const { cause, input, isAboutServers } = sight;
  return {
    to,
    /** Its primary addresses. */
    host: to?.host[0],
    endpoint: to?.endpoint[0],
    /** The node IP of one that does not reach it. */
    fromHost: sight.ends().from?.host[0],
    probePort: input.probePort,
    /** The namespace of the agents in Kubernetes; undefined elsewhere. */
    namespace: input.namespace,
    type: cause.subject.type,
    /** The node may be down as well: nobody knows more than that its servers do not answer. */
    mayBeDown: isAboutServers && channelsBeside(sight).working === 0 && !isRefused(sight),
    plane: planeOf(mask),
  };
}

/** A command; undefined where it cannot be written. */
export type Command = string | undefined;

/** The first three that can be written. They have the real names and addresses, and can be pasted into a shell. */
export function written(commands: readonly Command[]): string[] {
  return commands.filter((one) => one !== undefined).slice(0, 3);
}

/** Accepts only what neither a shell nor a program takes for more than a name. */
const plain = /^[A-Za-z0-9[][A-Za-z0-9._:/@[\]-]*$/;

/** The command; undefined if a part is missing or is not a plain word, because names may be anything. */
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

export function ping(ip: string | undefined): Command {
  return command`ping -c 3 ${ip}`;
}

/** A GET of `/hello`. */
export function get(ip: string | undefined, port: number): Command {
  if (ip === undefined) return undefined;
  return command`curl -m 2 ${`http://${hostAndPort(ip, port)}/hello`}`;
}

/** Who listens at a port of a host. */
export function listeners(host: string | undefined, port: number): Command {
  return command`ssh ${host} sudo ss -ltnp sport = :${String(port)}`;
}

/** The packet filter of a host. */
export function rules(host: string | undefined): Command {
  return command`ssh ${host} sudo nft list ruleset`;
}

/** The pods of meshprobe on the node; undefined outside of Kubernetes. */
export function podsOf({ to, namespace }: Pick<CommandSubject, 'to' | 'namespace'>): Command {
  return command`kubectl -n ${namespace} get pods -o wide --field-selector spec.nodeName=${shortName(to)}`;
}

/** The node as Kubernetes has it; undefined outside of Kubernetes. */
export function nodeOf({ to, namespace }: Pick<CommandSubject, 'to' | 'namespace'>): Command {
  return namespace === undefined ? undefined : command`kubectl get node ${shortName(to)} -o wide`;
}
