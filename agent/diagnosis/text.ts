import type { Cause } from './cause.js';
import { endpointMask, hostMask, httpMask, icmpMask } from './channels.js';
import type { DiagnosisNode } from './diagnosis-input.js';
import type { FindingKind } from './finding.js';

/** What the text of a finding is made from. */
export interface TextFacts {
  readonly cause: Cause;
  readonly kind: FindingKind;
  /** How many observers see it, and how many look. The node itself is not counted. */
  readonly seenBy: { readonly failing: number; readonly of: number };
  readonly node: DiagnosisNode | undefined;
  readonly from: DiagnosisNode | undefined;
  readonly to: DiagnosisNode | undefined;
  readonly zones: readonly string[];
  /** How many other nodes the subject does not reach, and how many it looks at. */
  readonly targets: { readonly failing: number; readonly of: number };
  /** The failure that most paths share, in words; undefined if it is just the timeout. */
  readonly failure: string | undefined;
  readonly isLocal: boolean;
  readonly probePort: number;
}

/**
 * Writes one sentence that says what is wrong, as a colleague would say it. It does not say that
 * the node is the local one: the reader's view adds that.
 */
export function textOf(facts: TextFacts): string {
  return facts.cause.subject.type === 'node' ? nodeText(facts) : groupText(facts);
}

function nodeText(facts: TextFacts): string {
  const { cause, kind, node, failure, probePort } = facts;
  const [host = '', endpoint = ''] = [node?.host[0], node?.endpoint[0]];
  if (cause.trouble !== 'broken') return degradedNodeText(facts);
  if (cause.ways === 'out') return outboundText(facts);
  const name = nameOf(node, host || endpoint, failure);
  if (cause.isPartial) return `${cannot(facts, 'reach')} ${name}${by(cause.mask)}; others can`;
  const reverse =
    cause.ways === 'both'
      ? ', nor does it reach them'
      : cause.reverseWorks
        ? ', though it reaches them'
        : '';
  switch (kind) {
    case 'node-down':
      return `${cannot(facts, 'reach')} ${name} at all, and nothing has been heard from it since`;
    case 'node-isolated':
      return cause.ways === 'both' || !cause.reverseWorks
        ? `${cannot(facts, 'reach')} ${name} at all${reverse}, yet it lives`
        : `${cannot(facts, 'reach')} ${name} at all, though it reaches them: what is sent to it is lost or refused`;
    case 'agent-down':
      return `${cannot(facts, 'reach')} the agent of ${nameOf(node, `${host}:${probePort}`, failure)}; the host itself answers`;
    case 'endpoint-down':
      return `${cannot(facts, 'reach')} the server at the endpoint of ${nameOf(node, `${endpoint}:${probePort}`, failure)}; it still answers ping`;
    case 'host-plane':
      return `${cannot(facts, 'reach')} the node IP of ${name}${reverse}; its endpoint answers`;
    case 'endpoint-plane':
      return `${cannot(facts, 'reach')} the endpoint of ${nameOf(node, endpoint, failure)}${reverse}; its node IP answers`;
    case 'icmp-filtered':
      return `${cannot(facts, 'ping')} ${name}${onPlane(cause.mask)}${reverse}; HTTP works`;
    case 'http-filtered':
      return `${cannot(facts, 'reach')} port ${probePort} of ${name}${onPlane(cause.mask)}${reverse}; ping works`;
    case 'zones':
    case 'pair':
    case 'lossy':
    case 'slow':
    case 'observers-missing':
      return `${cannot(facts, 'reach')} ${name}${by(cause.mask)}`;
  }
}

function outboundText({ cause, node, targets, failure, isLocal }: TextFacts): string {
  const whom =
    targets.failing < targets.of
      ? `${targets.failing} of ${targets.of} nodes`
      : `any of ${targets.of} nodes`;
  const reverse = cause.reverseWorks ? '; they reach it' : '';
  const name = nameOf(node, isLocal ? '' : (node?.host[0] ?? ''), failure);
  return `${name} cannot reach ${whom}${by(cause.mask)}${reverse}`;
}

function degradedNodeText({ cause, node, seenBy, targets }: TextFacts): string {
  const name = nameOf(node, node?.host[0] ?? node?.endpoint[0] ?? '', undefined);
  const what = degradedWords(cause);
  if (cause.ways === 'out') {
    return `the paths of ${name} to ${targets.failing} of ${targets.of} nodes ${what}${by(cause.mask)}`;
  }
  const either = cause.ways === 'both' ? 'to and from' : 'to';
  return `the paths ${either} ${name} ${what}${by(cause.mask)}, as ${seenBy.failing} of ${seenBy.of} nodes see it`;
}

function degradedWords({ trouble }: Cause): string {
  return trouble === 'lossy' ? 'lose probes' : 'have become slow';
}

function groupText(facts: TextFacts): string {
  const { cause, seenBy, failure, targets, from, to } = facts;
  const { subject, mask, trouble } = cause;
  const because = failure === undefined ? '' : ` (${failure})`;
  if (subject.type === 'cluster') {
    return `most paths of the cluster fail${by(mask)}${because}: ${seenBy.failing} of ${seenBy.of} nodes see it, and it is so with ${targets.failing} nodes`;
  }
  if (subject.type === 'zones' && trouble === 'broken') return zonesText(facts, because);
  const [a = '', b] = facts.zones;
  const [first, second] =
    subject.type === 'pair'
      ? [nameOf(from, from?.host[0] ?? '', undefined), nameOf(to, to?.host[0] ?? '', undefined)]
      : [`zone ${a}`, b === undefined ? 'the other zones' : `zone ${b}`];
  if (trouble !== 'broken') {
    return `the paths between ${first} and ${second} ${degradedWords(cause)}${by(mask)}; others do not`;
  }
  if (cause.ways === 'both') {
    return `${first} and ${second} cannot reach each other${by(mask)}${because}; others reach both`;
  }
  const reverse = cause.reverseWorks ? '; the reverse works' : '';
  return `${first} cannot reach ${second}${by(mask)}${because}${reverse}`;
}

function zonesText({ cause, zones, seenBy }: TextFacts, because: string): string {
  const { mask, ways, reverseWorks } = cause;
  const [a = '', b] = zones;
  const seen = `, as ${seenBy.failing} of ${seenBy.of} nodes see it`;
  const how = `${by(mask)}${because}`;
  if (b !== undefined) {
    return reverseWorks
      ? `zone ${a} cannot reach zone ${b}${how}${seen}; the reverse works`
      : `zones ${a} and ${b} cannot reach each other${how}${seen}`;
  }
  if (!reverseWorks) return `zone ${a} is cut off from the other zones${how}${seen}`;
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

function nameOf(node: DiagnosisNode | undefined, address: string, failure: string | undefined) {
  const more = [address, failure ?? ''].filter((part) => part !== '').join(', ');
  return more === '' ? (node?.name ?? '') : `${node?.name ?? ''} (${more})`;
}

/** The protocol and the address; empty if everything fails. */
function by(mask: number): string {
  const protocol = (mask & httpMask) === 0 ? ' by ICMP' : (mask & icmpMask) === 0 ? ' by HTTP' : '';
  const plane =
    (mask & endpointMask) === 0 ? ' at node IPs' : (mask & hostMask) === 0 ? ' at endpoints' : '';
  return protocol + plane;
}

function onPlane(mask: number): string {
  if ((mask & endpointMask) === 0) return ' at its node IP';
  return (mask & hostMask) === 0 ? ' at its endpoint' : '';
}
