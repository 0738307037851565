import { command, type Command, type CommandSubject } from './command.js';
import type { PathSight } from '../life/path-sight.js';
import { directionOf } from './direction.js';
import type { PathKind } from './kind.js';
import { untilSure } from './waits.js';
import { because, by, labelOf } from './words.js';

/** Only paths between two nodes fail. */
export const pair: PathKind = {
  kind: 'pair',
  applies: ({ cause: { subject, trouble } }) => trouble === 'broken' && subject.type === 'pair',
  waitsMs: untilSure,
  text,
  next: betweenTwo,
  plural: () => 'cannot reach each other',
};

/** The commands about a path between two nodes. */
export function betweenTwo({ host, endpoint, fromHost }: CommandSubject): readonly Command[] {
  return [
    command`ssh ${fromHost} ping -c 3 ${host}`,
    command`ssh ${fromHost} ip route get ${endpoint ?? host}`,
    command`ssh ${fromHost} traceroute -n ${host}`,
  ];
}

function text(sight: PathSight): string {
  const { from, to } = sight.ends();
  const { knownChannels, ways } = sight.cause;
  const [first, second] = [from, to].map((node) => labelOf(node, node?.host[0] ?? ''));
  const how = `${by(knownChannels)}${because(sight)}`;
  if (ways === 'both') return `${first} and ${second} cannot reach each other${how}`;
  const reverse = directionOf(sight) === undefined ? '' : '; the reverse works';
  return `${first} cannot reach ${second}${how}${reverse}`;
}
