import { namesOf } from '../nouns/named-cause.js';
import type { PathSight } from '../life/path-sight.js';
import { command } from './command.js';
import type { PathKind } from './kind.js';
import { sizesOf } from './mtu-sizes.js';
import { at, labelOf, nodeOfCause, othersSeen } from './words.js';

/** In this time the others have tested their paths to the same nodes, three times where large packets are lost. */
const [testedMs, pairTestedMs] = [20_000, 30_000];

/** Large packets are lost where small ones pass. */
export const mtu: PathKind = {
  kind: 'mtu',
  alerts: { degraded: 'MeshprobeLargePacketsLost' },
  applies: ({ cause }) => cause.trouble === 'mtu' && cause.subject.type !== 'group',
  waitsMs: ({ cause: { subject } }) => (subject.type === 'pair' ? pairTestedMs : testedMs),
  text,
  next: ({ to, plane, host, endpoint, fromHost }) => [
    plane === 'endpoint'
      ? command`meshprobe mtu ${to?.name} --endpoint`
      : command`meshprobe mtu ${to?.name}`,
    command`ssh ${fromHost} tracepath -n ${plane === 'endpoint' ? endpoint : host}`,
    command`ssh ${fromHost} ip -d link`,
  ],
  plural: ({ channels }) => `lose large packets${at(channels)}`,
  fields: ({ losses }) => {
    const { size } = sizesOf(losses);
    return size === undefined ? {} : { size };
  },
};

/** What was measured: their size, where they are lost and in which direction, and who says so. */
function text(sight: PathSight): string {
  const { cause, losses } = sight;
  const { which, how, interfaces } = sizesOf(losses);
  const isOwn = cause.subject.type === 'node' && cause.ways === 'out';
  const isPair = cause.subject.type === 'pair';
  const { failing, of } = othersSeen(sight);
  const seen = isPair || isOwn ? '' : `, as ${failing} of ${of} nodes that tested see it`;
  return `${which} ${where(sight)}${at(cause.channels)} ${how}${seen}; small ones pass${interfaces}`;
}

function where(sight: PathSight): string {
  const { cause, packets } = sight;
  const ways = packets?.ways ?? 'both';
  if (cause.subject.type === 'cluster') return 'on most paths of the cluster';
  if (cause.subject.type === 'node') {
    const node = labelOf(nodeOfCause(sight));
    if (ways === 'both') return `to and from ${node}`;
    if (ways === 'in') return `to ${node}`;
    const whom = cause.ways === 'out' ? ` to ${sight.notReached().failing} nodes` : '';
    return `from ${node}${whom}`;
  }
  const [first, second] = twoOf(sight);
  if (ways === 'both') return `between ${first} and ${second}`;
  return ways === 'out' ? `from ${second} to ${first}` : `from ${first} to ${second}`;
}

/** Two nodes or zones. Of a group its own kind tells, and of two groups only what is broken. */
function twoOf(sight: PathSight): readonly [string, string] {
  const { subject } = sight.cause;
  const { from, to } = sight.ends();
  if (subject.type === 'pair') return [labelOf(from), labelOf(to)];
  const [a = '', b] = namesOf(subject, sight.input.index);
  return b === undefined ? ['the other zones', `zone ${a}`] : [`zone ${a}`, `zone ${b}`];
}
