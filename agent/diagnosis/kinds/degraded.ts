import { namesOf } from '../nouns/named-cause.js';
import type { PathSight } from '../life/path-sight.js';
import { clusterText } from './of-nodes.js';
import { by, labelOf, nodeOfCause, othersSeen } from './words.js';

/** The text about paths that work, and not as they should: they `lose probes`. */
export function degradedText(sight: PathSight, what: string): string {
  const { subject, knownChannels } = sight.cause;
  if (subject.type === 'cluster') return clusterText(sight, what);
  if (subject.type === 'node') return nodeText(sight, what);
  return `the paths between ${twoText(sight)} ${what}${by(knownChannels)}`;
}

/** Two nodes or zones. Of a group its own kind tells, and of two groups only what is broken. */
function twoText(sight: PathSight): string {
  const { subject } = sight.cause;
  if (subject.type === 'pair') {
    const { from, to } = sight.ends();
    return [from, to].map((node) => labelOf(node, node?.host[0] ?? '')).join(' and ');
  }
  const [a = '', b] = namesOf(subject, sight.input.index);
  return `zone ${a} and ${b === undefined ? 'the other zones' : `zone ${b}`}`;
}

function nodeText(sight: PathSight, what: string): string {
  const { cause } = sight;
  const node = nodeOfCause(sight);
  const label = labelOf(node);
  if (cause.ways === 'out') {
    const { failing, of } = sight.notReached();
    return `the paths of ${label} to ${failing} of ${of} nodes ${what}${by(cause.knownChannels)}`;
  }
  const either = cause.ways === 'both' ? 'to and from' : 'to';
  const { failing, of } = othersSeen(sight);
  return `the paths ${either} ${label} ${what}${by(cause.knownChannels)}, as ${failing} of ${of} nodes see it`;
}
