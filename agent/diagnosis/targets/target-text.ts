import type { DiagnosisTarget } from '../nouns/diagnosis-target.js';
import { serviceTarget } from './explained-by-paths.js';
import type { TargetCause } from './target-cause.js';
import type { TargetSeen } from './target-seen.js';
import type { TargetQuestion } from './target-tally.js';

/** What the text of a finding about a target is made from. */
export interface TargetTextFacts {
  readonly cause: TargetCause;
  readonly question: TargetQuestion;
  readonly seen: TargetSeen;
  readonly definition: DiagnosisTarget | undefined;
  /** The name of the subject's node or zone. */
  readonly name: string;
  /** The failure that most looks share, in words; undefined if it is just no answer. */
  readonly failure: string | undefined;
  /** In Kubernetes the endpoint plane is the network of pods. */
  readonly hasPods: boolean;
}

/**
 * Writes one sentence that says who cannot reach a target. It says that others can only if they
 * looked since, and were counted.
 */
export function targetText(facts: TargetTextFacts): string {
  const { cause, question } = facts;
  if (question.trouble !== 'broken') return degradedText(facts);
  const { type } = cause.subject;
  if (type === 'node') return nodeText(facts);
  const where = type === 'zones' ? ` of zone ${facts.name}` : '';
  const { failing, of } = facts.seen.inside;
  const nodes = `${of} nodes${where} that looked since`;
  const who = failing >= of ? `none of ${nodes} can` : `${failing} of ${nodes} cannot`;
  return `${who} reach ${what(facts)}${from(facts)}${besides(facts)}`;
}

function nodeText(facts: TargetTextFacts): string {
  const { cause, name, hasPods, seen, question } = facts;
  const isOnePlane = cause.claim !== question.looks.planes;
  if (!isOnePlane) {
    // Nothing is said of a plane that did not look.
    const only = cause.mask === cause.claim ? '' : from(facts);
    return `${name} cannot reach ${what(facts)}${only}${others(facts)}${routing(facts)}`;
  }
  const pods = hasPods ? 'pods' : 'the endpoint';
  if (cause.claim === 2) {
    const itself = seen.otherPlane.reaching > 0 ? '; the node itself can' : '';
    return `${pods} of ${name} cannot reach ${what(facts)}${itself}${others(facts)}`;
  }
  const itsPods = seen.otherPlane.reaching > 0 ? `; its ${hasPods ? 'pods' : 'endpoint'} can` : '';
  return `${name} itself cannot reach ${what(facts)}${itsPods}${others(facts)}${routing(facts)}`;
}

function degradedText(facts: TargetTextFacts): string {
  const { cause, question, seen, name } = facts;
  const { type } = cause.subject;
  const target = what(facts);
  const { failing, of } = type === 'cluster' ? seen.all : seen.inside;
  const whom =
    type === 'node'
      ? name
      : `${failing} of ${of} nodes${type === 'zones' ? ` of zone ${name}` : ''}`;
  const told = question.trouble === 'lossy' ? 'leaves probes without an answer' : 'has become slow';
  return `${target} ${told}${from(facts)}, as ${whom} ${type === 'node' || failing === 1 ? 'sees' : 'see'} it${others(facts)}`;
}

/** The target with the failure, or the servers of it that fail. */
function what({ question, failure, definition }: TargetTextFacts): string {
  const { name } = question.looks;
  const because = failure === undefined ? '' : ` (${failure})`;
  if (question.server === undefined) return `${name}${because}`;
  const address = definition?.servers[question.server];
  const server = address === undefined ? `number ${question.server + 1}` : address;
  const number = definition?.servers.length ?? 0;
  const one = number > 1 ? `one of the ${number} servers` : 'a server';
  return `${server}${because}, ${one} of ${name}`;
}

/** From which plane, where it is one of two. */
function from({ cause, question, hasPods }: TargetTextFacts): string {
  const { planes } = question.looks;
  if (planes !== 3 || cause.mask === 3) return '';
  const isOne = cause.subject.type === 'node';
  if (cause.mask === 1) return isOne ? ' from the node itself' : ' from the nodes themselves';
  if (isOne) return hasPods ? ' from its pods' : ' from its endpoint';
  return hasPods ? ' from their pods' : ' from their endpoints';
}

/** What works beside it: from the other plane, or elsewhere. */
function besides(facts: TargetTextFacts): string {
  const { cause, question, seen, hasPods } = facts;
  if (cause.claim === question.looks.planes) return others(facts);
  const { reaching, of } = seen.otherPlane;
  if (reaching === 0) return others(facts);
  const whose = cause.claim === 2 ? 'nodes themselves' : hasPods ? 'their pods' : 'their endpoints';
  return `; ${reaching} of ${of} ${whose} can${others(facts)}`;
}

function others({ cause, seen: { outside }, question, hasPods }: TargetTextFacts): string {
  if (cause.subject.type === 'cluster') return '';
  if (outside.of === 0) return '; no other node has looked since';
  const nodes = `${outside.reaching} of ${outside.of} other nodes that looked since`;
  if (question.trouble !== 'broken') return `; ${nodes} see nothing of it`;
  const isEndpoint = cause.claim === 2 && question.looks.planes === 3;
  if (!isEndpoint) return `; ${nodes} can`;
  return `; ${hasPods ? 'pods' : 'the endpoints'} of ${nodes} can`;
}

/** A service has one address, which each node translates for itself. */
function routing({ question, seen, hasPods }: TargetTextFacts): string {
  const { outside } = seen;
  const isOne = question.looks.name === serviceTarget && hasPods;
  if (!isOne || outside.reaching === 0 || 2 * outside.reaching < outside.of) return '';
  return ', so it is the service routing of that node (kube-proxy or its replacement)';
}
