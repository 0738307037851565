import { failureWords } from '../nouns/failure-words.js';
import type { FailureKind } from '../../model/failure.js';
import type { TargetSight } from '../life/target-sight-of.js';

/** Other answers are expected of targets than of agents. */
export function targetFailureWords(failure: FailureKind | undefined): string {
  if (failure === undefined) return 'no answer';
  if (failure === 'status') return 'unexpected status';
  return failure === 'protocol' ? 'answer of another protocol' : failureWords(failure);
}

/** The target with the failure, or the server of it that fails. */
export function whatFails(sight: TargetSight): string {
  const { target, also, failure, server, servers } = sight;
  // "No answer" tells the reader nothing new.
  const isTold = failure !== undefined && failure !== 'timeout';
  const because = isTold ? ` (${targetFailureWords(failure)}${statusWords(sight)})` : '';
  if (server === undefined) return inWords([`${target}${because}`, ...also]);
  const { address = `number ${server.number + 1}` } = server;
  const one = servers > 1 ? `one of the ${servers} servers` : 'a server';
  const whose = server.address === undefined && servers > 0 ? ' that are asked there' : '';
  return `${address}${because}, ${one} of ${target}${whose}`;
}

/** The status behind the failure, as far as this agent knows it: rows tell the failure alone. */
function statusWords({ failure, statusHere, subject, name }: TargetSight): string {
  if (failure !== 'status' || statusHere === undefined) return '';
  const { status, node } = statusHere;
  return subject.type === 'node' && name === node ? ` ${status}` : `, ${status} at ${node}`;
}

/** `a, b and c` */
export function inWords(names: readonly string[]): string {
  const [last = ''] = names.slice(-1);
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** What others can, in a sentence about one target or several of which one was counted. */
export function can({ target, also }: TargetSight): string {
  return also.length === 0 ? 'can' : `can reach ${target}`;
}

/** From which plane, where it is one of two. */
export function fromPlane({ planes, knownPlanes, subject, namespace }: TargetSight): string {
  if (planes !== 3 || knownPlanes === 3) return '';
  const isOne = subject.type === 'node';
  if (knownPlanes === 1) return isOne ? ' from the node itself' : ' from the nodes themselves';
  const hasPods = namespace !== undefined;
  if (isOne) return hasPods ? ' from its pods' : ' from its endpoint';
  return hasPods ? ' from their pods' : ' from their endpoints';
}

/** What other nodes see that looked since. */
export function besideNodes(sight: TargetSight): string {
  const { subject, seen, trouble, failingPlanes, planes, namespace } = sight;
  if (subject.type === 'cluster') return '';
  const { reaching, of } = seen.outside;
  if (of === 0) return '; no other node has looked since';
  const nodes = `${reaching} of ${of} other nodes that looked since`;
  if (trouble !== 'broken') return `; ${nodes} see nothing of it`;
  const isEndpoint = failingPlanes === 2 && planes === 3;
  if (!isEndpoint) return `; ${nodes} ${can(sight)}`;
  return `; ${namespace === undefined ? 'the endpoints' : 'pods'} of ${nodes} ${can(sight)}`;
}

/**
 * The text about a target that answers, and not as it should.
 * @param how such as `has become slow`
 */
export function degradedTargetText(sight: TargetSight, how: string): string {
  const { subject, seen, name } = sight;
  const { type } = subject;
  const { failing, of } = type === 'cluster' ? seen.all : seen.inside;
  const whom =
    type === 'node'
      ? name
      : `${failing} of ${of} nodes${type === 'zones' ? ` of zone ${name}` : ''}`;
  const see = type === 'node' || failing === 1 ? 'sees' : 'see';
  return `${whatFails(sight)} ${how}${fromPlane(sight)}, as ${whom} ${see} it${besideNodes(sight)}`;
}
