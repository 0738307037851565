import { namesOf } from '../nouns/named-cause.js';
import type { PathSight } from '../life/path-sight.js';
import { clusterText } from './of-nodes.js';
import { by, labelOf, nodeOfCause, othersSeen } from './words.js';

/** The text about paths that work, and not as they should: they `lose probes`. */
export function degradedText(sight: PathSight, what: string): string {
  const { cause, input } = sight;
  const { subject, knownChannels } = cause;
  switch (subject.type) {
    case 'cluster':
      return clusterText(sight, what);
    case 'node':
      return nodeText(sight, what);
    // Of a group its own kind tells, and of two only what is broken.
    case 'group':
    case 'groups':
    case 'zones': {
      const [a = '', b] = namesOf(subject, input.index);
      const other = b === undefined ? 'the other zones' : `zone ${b}`;
      return `the paths between zone ${a} and ${other} ${what}${by(knownChannels)}`;
    }
    case 'pair': {
      const { from, to } = sight.ends();
      const [first, second] = [from, to].map((node) => labelOf(node, node?.host[0] ?? ''));
      return `the paths between ${first} and ${second} ${what}${by(knownChannels)}`;
    }
  }
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
