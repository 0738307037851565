import type { Trouble } from '../nouns/cause.js';
import { allMask, httpMask, icmpMask } from '../nouns/channel-mask.js';
import type { Finding } from '../nouns/finding.js';
import type { PathSight } from '../life/path-sight.js';
import { command, get, ping, type Command, type CommandSubject } from './command.js';
import { cutGroups, cutText, groupText } from './group-words.js';
import type { PathKind } from './kind.js';
import { mtu } from './mtu.js';
import { sizesOf } from './mtu-sizes.js';
import { lossy } from './lossy.js';
import { slow } from './slow.js';
import { betweenTwo } from './pair.js';
import { untilAllRestarted } from './waits.js';
import { at, atTheir, because, by } from './words.js';

/** The nodes with one value of a label have the same trouble and the others do not, or those with two values cannot reach each other. */
export const group: PathKind = {
  kind: 'group',
  alerts: { broken: 'MeshprobePlaneBroken', degraded: 'MeshprobeGroupDegraded' },
  applies: ({ cause: { subject, trouble } }) =>
    subject.type === 'group' || (subject.type === 'groups' && trouble === 'broken'),
  waitsMs: (sight) => alike[sight.cause.trouble]?.waitsMs(sight) ?? untilAllRestarted(sight),
  text,
  next,
  plural: () => 'have a trouble in common',
  fields,
};

/** The kind that tells the same trouble of one node, where it is not broken. */
const alike: Readonly<Partial<Record<Trouble, PathKind>>> = { lossy, slow, mtu };

function text(sight: PathSight): string {
  const { cause, losses, input } = sight;
  const { subject, trouble, knownChannels: channels } = cause;
  if (subject.type === 'groups') return cutText(sight);
  if (trouble === 'mtu')
    return `${groupText(sight, `lose ${sizesOf(losses).which}${at(channels)}`, 'nodes that tested')}; small ones pass`;
  const kind = alike[trouble];
  if (kind) return groupText(sight, kind.plural({ probePort: input.probePort, channels }));
  return `${groupText(sight, `${brokenWords(sight)}${because(sight)}`)}${sight.reachesItself() ? '; they reach each other' : ''}`;
}

/** What the nodes do not do, by the channels that were seen to fail and the direction. */
function brokenWords(sight: PathSight): string {
  const { knownChannels: channels, ways } = sight.cause;
  const { probePort } = sight.input;
  if (ways === 'out') return `cannot reach the others${by(channels)}`;
  const reverse = ways === 'both' ? ', nor are they answered' : '';
  const answer = `do not answer${sight.reachesItself() ? ' the others' : ''}`;
  if (channels === allMask) return `${answer} at all${reverse}`;
  if ((channels & httpMask) === 0)
    return `${sight.reachesItself() ? `${answer} by` : answer} ping${atTheir(channels)}${reverse}`;
  if ((channels & icmpMask) === 0)
    return `${answer} at port ${probePort}${atTheir(channels)}${reverse}`;
  return `${answer}${atTheir(channels)}${reverse}`;
}

function fields(sight: PathSight): Partial<Finding> {
  const { cause, losses, input } = sight;
  if (cause.subject.type === 'groups') return { groups: cutGroups(cause.subject, input.index) };
  const found =
    cause.subject.type === 'group' ? input.index.groups[cause.subject.group] : undefined;
  if (!found) return {};
  const { label, name: value, and, members, like } = found;
  const { size } = sizesOf(losses);
  return {
    group: {
      label,
      value,
      ...(and && { and: { label: and.label, value: and.name } }),
      nodes: members.length,
      ...(like.length > 0 && { like: [...like] }),
    },
    ...(cause.trouble === 'mtu' && size !== undefined && { size }),
  };
}

function next(about: CommandSubject): readonly Command[] {
  if (about.type === 'groups') return betweenTwo(about);
  const address = about.plane === 'endpoint' ? about.endpoint : about.host;
  return [
    ping(address),
    get(address, about.probePort),
    command`ssh ${about.fromHost} tracepath -n ${address}`,
  ];
}
