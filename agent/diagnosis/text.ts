import { silentWords } from './heard-again.js';
import type { RowLargeLoss } from '../model/row-large.js';
import type { Cause } from './nouns/cause.js';
import {
  endpointIcmpMask,
  endpointMask,
  hostIcmpMask,
  hostMask,
  httpMask,
  icmpMask,
  planeOf,
} from './nouns/channel-mask.js';
import type { Seen } from './counts.js';
import type { DiagnosisNode } from './nouns/diagnosis-node.js';
import type { PacketWays } from './large-losses.js';
import { sizesOf } from './mtu-text.js';
import type { Name } from './naming.js';

/** What the text of a finding is made from. */
export interface TextFacts {
  readonly cause: Cause;
  readonly name: Name;
  /** How many observers see it, and how many look. The node itself is not counted. */
  readonly seenBy: Seen;
  readonly node: DiagnosisNode | undefined;
  readonly from: DiagnosisNode | undefined;
  readonly to: DiagnosisNode | undefined;
  readonly zones: readonly string[];
  /** How many other nodes the subject does not reach, and how many it looks at. */
  readonly targets: Seen;
  /** The failure that most paths share, in words; undefined if it is just the timeout. */
  readonly failure: string | undefined;
  readonly isLocal: boolean;
  readonly probePort: number;
  /** Of a finding about large packets: what its witnesses say. */
  readonly losses: readonly RowLargeLoss[];
  /** Which way the lost packets went. */
  readonly packets: PacketWays | undefined;
}

/**
 * Writes one sentence that says what is wrong, as a colleague would say it. It says that something
 * works only if answers were counted. It does not say that the node is the local one: the reader's
 * view adds that.
 */
export function textOf(facts: TextFacts): string {
  if (facts.cause.trouble === 'mtu') return mtuText(facts);
  return facts.cause.subject.type === 'node' ? nodeText(facts) : groupText(facts);
}

function nodeText(facts: TextFacts): string {
  const { cause, name, node, failure, probePort } = facts;
  const [host = '', endpoint = ''] = [node?.host[0], node?.endpoint[0]];
  if (cause.trouble !== 'broken') return degradedNodeText(facts);
  if (cause.ways === 'out') return outboundText(facts);
  const subject = labelOf(node, host || endpoint, failure);
  const reverse =
    name.direction === 'both'
      ? ', nor does it reach them'
      : name.direction === 'inbound'
        ? ', though it reaches them'
        : '';
  if (cause.isPartial) return `${cannot(facts, 'reach')} ${subject}${by(cause.mask)}${reverse}`;
  const beside = worksBeside(facts);
  switch (name.kind) {
    case 'node-down':
      return `${cannot(facts, 'reach')} ${subject} at all${silentWords}`;
    case 'node-isolated':
      return name.direction === 'inbound'
        ? `${cannot(facts, 'reach')} ${subject} at all${reverse}: what is sent to it is lost or refused`
        : `${cannot(facts, 'reach')} ${subject} at all${reverse}${reverse === '' ? ', but it is alive' : '; it is alive'}`;
    case 'agent-down':
      return `${cannot(facts, 'reach')} the agent of ${labelOf(node, `${host}:${probePort}`, failure)}${beside}`;
    case 'endpoint-down':
      return `${cannot(facts, 'reach')} the server at the endpoint of ${labelOf(node, `${endpoint}:${probePort}`, failure)}${beside}`;
    case 'host-plane':
      return `${cannot(facts, 'reach')} the node IP of ${subject}${reverse}${beside}`;
    case 'endpoint-plane':
      return `${cannot(facts, 'reach')} the endpoint of ${labelOf(node, endpoint, failure)}${reverse}${beside}`;
    case 'icmp-filtered':
      return `${cannot(facts, 'ping')} ${subject}${onPlane(cause.mask)}${reverse}${beside}`;
    case 'http-filtered':
      return `${cannot(facts, 'reach')} port ${probePort} of ${subject}${onPlane(cause.mask)}${reverse}${beside}`;
    case 'zones':
    case 'pair':
    case 'lossy':
    case 'slow':
    case 'mtu':
    case 'observers-missing':
    case 'not-listed':
    case 'target-down':
    case 'target-unreachable':
    case 'target-slow':
    case 'target-lossy':
      return `${cannot(facts, 'reach')} ${subject}${by(cause.mask)}`;
  }
}

/** What works at the node beside what fails, or that nothing is known of it. */
function worksBeside({ cause: { claim }, name: { kind, working, unseen } }: TextFacts): string {
  const ping = (echoes: number, works: string, isUnknown: string) => {
    if ((working & echoes) !== 0) return `; ${works}`;
    return (unseen & echoes) === 0 ? '' : `; ${isUnknown} is not known`;
  };
  if (kind === 'agent-down') {
    return ping(hostIcmpMask, 'the host itself answers ping', 'whether the host answers ping');
  }
  if (kind === 'endpoint-down') {
    return ping(endpointIcmpMask, 'it still answers ping', 'whether it answers ping');
  }
  if (kind === 'http-filtered') {
    const plane = planeOf(claim);
    const echoes =
      plane === undefined ? icmpMask : plane === 'host' ? hostIcmpMask : endpointIcmpMask;
    return ping(echoes, 'ping works', 'whether ping works');
  }
  if (kind === 'icmp-filtered') return (working & httpMask) === 0 ? '' : '; HTTP works';
  if (kind === 'host-plane') return (working & endpointMask) === 0 ? '' : '; its endpoint answers';
  if (kind === 'endpoint-plane') return (working & hostMask) === 0 ? '' : '; its node IP answers';
  return '';
}

function outboundText({ cause, name, node, targets, failure, isLocal }: TextFacts): string {
  const whom =
    targets.failing < targets.of
      ? `${targets.failing} of ${targets.of} nodes`
      : `any of ${targets.of} nodes`;
  const reverse = name.direction === 'outbound' ? '; they reach it' : '';
  const label = labelOf(node, isLocal ? '' : (node?.host[0] ?? ''), failure);
  return `${label} cannot reach ${whom}${by(cause.mask)}${reverse}`;
}

function degradedNodeText({ cause, node, seenBy, targets }: TextFacts): string {
  const label = labelOf(node, node?.host[0] ?? node?.endpoint[0] ?? '', undefined);
  const what = degradedWords(cause);
  if (cause.ways === 'out') {
    return `the paths of ${label} to ${targets.failing} of ${targets.of} nodes ${what}${by(cause.mask)}`;
  }
  const either = cause.ways === 'both' ? 'to and from' : 'to';
  return `the paths ${either} ${label} ${what}${by(cause.mask)}, as ${seenBy.failing} of ${seenBy.of} nodes see it`;
}

/** What was measured of large packets: their size, where they are lost and in which direction, and who says so. */
function mtuText(facts: TextFacts): string {
  const { cause, losses, seenBy } = facts;
  const { which, how, interfaces } = sizesOf(losses);
  const isOwn = cause.subject.type === 'node' && cause.ways === 'out';
  const isPair = cause.subject.type === 'pair';
  const seen =
    isPair || isOwn ? '' : `, as ${seenBy.failing} of ${seenBy.of} nodes that tested see it`;
  const where = mtuWhere(facts) + at(cause.claim);
  return `${which} ${where} ${how}${seen}; small ones pass${interfaces}`;
}

function mtuWhere({ cause, node, from, to, zones, targets, packets }: TextFacts): string {
  const { subject } = cause;
  const ways = packets?.ways ?? 'both';
  const label = (one: DiagnosisNode | undefined) =>
    labelOf(one, one?.host[0] ?? one?.endpoint[0] ?? '', undefined);
  const between = (a: string, b: string) =>
    ways === 'both'
      ? `between ${a} and ${b}`
      : ways === 'out'
        ? `from ${b} to ${a}`
        : `from ${a} to ${b}`;
  switch (subject.type) {
    case 'cluster':
      return 'on most paths of the cluster';
    case 'node':
      if (ways === 'both') return `to and from ${label(node)}`;
      if (ways === 'in') return `to ${label(node)}`;
      if (cause.ways !== 'out') return `from ${label(node)}`;
      return `from ${label(node)} to ${targets.failing} nodes`;
    case 'pair':
      return between(label(from), label(to));
    case 'zones': {
      const [a = '', b] = zones;
      return b === undefined
        ? between('the other zones', `zone ${a}`)
        : between(`zone ${a}`, `zone ${b}`);
    }
  }
}

function degradedWords({ trouble }: Cause): string {
  return trouble === 'lossy' ? 'lose probes' : 'have become slow';
}

function groupText(facts: TextFacts): string {
  const { cause, seenBy, failure, targets, from, to, name } = facts;
  const { subject, mask, trouble } = cause;
  const because = failure === undefined ? '' : ` (${failure})`;
  if (subject.type === 'cluster') {
    const what = trouble === 'broken' ? 'fail' : degradedWords(cause);
    return `most paths of the cluster ${what}${by(mask)}${because}: ${seenBy.failing} of ${seenBy.of} nodes see it, and it is so with ${targets.failing} nodes`;
  }
  if (subject.type === 'zones' && trouble === 'broken') return zonesText(facts, because);
  const [a = '', b] = facts.zones;
  const [first, second] =
    subject.type === 'pair'
      ? [labelOf(from, from?.host[0] ?? '', undefined), labelOf(to, to?.host[0] ?? '', undefined)]
      : [`zone ${a}`, b === undefined ? 'the other zones' : `zone ${b}`];
  if (trouble !== 'broken') {
    return `the paths between ${first} and ${second} ${degradedWords(cause)}${by(mask)}`;
  }
  if (cause.ways === 'both') {
    return `${first} and ${second} cannot reach each other${by(mask)}${because}`;
  }
  const reverse = name.direction === undefined ? '' : '; the reverse works';
  return `${first} cannot reach ${second}${by(mask)}${because}${reverse}`;
}

function zonesText({ cause, zones, seenBy, name }: TextFacts, because: string): string {
  const { mask, ways } = cause;
  const [a = '', b] = zones;
  const seen = `, as ${seenBy.failing} of ${seenBy.of} nodes see it`;
  const how = `${by(mask)}${because}`;
  const isOneWay = ways !== 'both' && name.direction !== undefined;
  if (b !== undefined) {
    return isOneWay
      ? `zone ${a} cannot reach zone ${b}${how}${seen}; the reverse works`
      : `zones ${a} and ${b} cannot reach each other${how}${seen}`;
  }
  if (!isOneWay) return `zone ${a} is cut off from the other zones${how}${seen}`;
  return ways === 'in'
    ? `the other zones cannot reach zone ${a}${how}${seen}; it reaches them`
    : `zone ${a} cannot reach the other zones${how}${seen}; they reach it`;
}

/** The subject of the sentence. */
function cannot({ seenBy: { failing, of } }: TextFacts, what: string): string {
  if (of <= 1) return `the only node that looks cannot ${what}`;
  return failing >= of
    ? `none of ${of} nodes can ${what}`
    : `${failing} of ${of} nodes cannot ${what}`;
}

function labelOf(node: DiagnosisNode | undefined, address: string, failure: string | undefined) {
  const more = [address, failure ?? ''].filter((part) => part !== '').join(', ');
  return more === '' ? (node?.name ?? '') : `${node?.name ?? ''} (${more})`;
}

/** The protocol and the address; empty if everything fails. */
export function by(mask: number): string {
  const protocol = (mask & httpMask) === 0 ? ' by ICMP' : (mask & icmpMask) === 0 ? ' by HTTP' : '';
  return protocol + at(mask);
}

function at(mask: number): string {
  if ((mask & endpointMask) === 0) return ' at node IPs';
  return (mask & hostMask) === 0 ? ' at endpoints' : '';
}

function onPlane(mask: number): string {
  if ((mask & endpointMask) === 0) return ' at its node IP';
  return (mask & hostMask) === 0 ? ' at its endpoint' : '';
}
