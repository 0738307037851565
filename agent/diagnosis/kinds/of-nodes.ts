import { channels } from '../../model/channel.js';
import type { PathSight } from '../life/path-sight.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { Direction } from '../nouns/finding.js';
import { directionOf } from './direction.js';
import {
  because,
  by,
  cannot,
  failureOf,
  labelOf,
  nodeOfCause,
  onPlane,
  othersSeen,
} from './words.js';

/** Whether paths of one node or of the whole cluster fail: channels and direction make the kind. */
export function isOfNodes({ cause: { subject, trouble } }: PathSight): boolean {
  return trouble === 'broken' && (subject.type === 'node' || subject.type === 'cluster');
}

/** Whether the cause is about this agent's own node: it cannot tell who is silent. */
export function isLocal({ cause: { subject }, localNode }: PathSight): boolean {
  return subject.type === 'node' && subject.node === localNode;
}

/**
 * The text of such a kind. It says that something works only if answers were counted. It does not say that the node is the
 * local one: the reader's view adds that.
 * @param own the sentence about one node of which probes fail that are sent to it
 */
export function textOfNodes(
  own: (words: ReturnType<typeof nodeWords>, sight: PathSight) => string,
): (sight: PathSight) => string {
  return (sight) => {
    const { cause, input } = sight;
    if (cause.subject.type === 'cluster') return clusterText(sight, 'fail');
    if (cause.ways === 'out') return outboundText(sight);
    const words = nodeWords(sight);
    const { cannot: who, label, reverse, further } = words;
    if (cause.isPartial) return `${who('reach')} ${label()}${by(cause.knownChannels)}${reverse}`;
    const elsewhere = further === undefined ? '' : `; ${input.localName} reaches it at ${further}`;
    return `${own(words, sight)}${elsewhere}`;
  };
}

const reverseWords: Readonly<Record<Direction, string>> = {
  both: ', nor does it reach them',
  inbound: ', though it reaches them',
  outbound: '',
};

/** What the sentence about one node is made of. */
function nodeWords(sight: PathSight) {
  const { knownChannels } = sight.cause;
  const node = nodeOfCause(sight);
  const has = sight.input.index.masks[sight.node] ?? 0;
  const direction = directionOf(sight);
  const further = furtherAddress(sight);
  const all = further === undefined ? ' at all' : '';
  return {
    /** Its primary addresses; empty where it has none. */
    host: node?.host[0] ?? '',
    endpoint: node?.endpoint[0] ?? '',
    /** `3 of 39 nodes cannot reach` */
    cannot: (what: 'reach' | 'ping') => cannot(othersSeen(sight), what),
    /** The node with an address and the failure. */
    label: (address?: string) => labelOf(node, address, failureOf(sight)),
    /** ` at all`, or the channels that fail where others that the node has were not probed: ` by HTTP` */
    atAll: (has & ~knownChannels) === 0 ? all : by(knownChannels),
    /** `, though it reaches them` */
    reverse: direction ? reverseWords[direction] : '',
    /** Another address at which this agent reaches it. */
    further,
  };
}

/** Rows tell of first addresses alone: this agent itself may reach the node at another one, of the other family. */
function furtherAddress(sight: PathSight): string | undefined {
  const { cause, input } = sight;
  const name = nodeOfCause(sight)?.name;
  if (name === undefined || name === input.localName) return undefined;
  return channelsIn(cause.knownChannels)
    .flatMap((one) => channels[one] ?? [])
    .map(({ plane, protocol }) => input.answersAt?.(name, plane, protocol))
    .find((ip) => ip !== undefined);
}

interface BesideWords {
  /** Said if most answers that were counted on one of them are good: `ping works`. */
  readonly works: string;
  /** Said if paths of them were counted, and most fail, for another cause; left out, nothing is said then. */
  readonly fails?: string;
  /** Said if nothing is known of them: `whether ping works is not known`; left out, nothing is said then. */
  readonly unknown?: string;
}

/** The other channels of the node of a cause, as masks: those that work, those that fail, and those of which nothing is known. */
export function channelsBeside({ cause, sides, input }: PathSight) {
  const { subject, knownChannels, ways } = cause;
  let [working, failing, unseen] = [0, 0, 0];
  if (subject.type !== 'node') return { working, failing, unseen };
  const side = sides[ways === 'out' ? 'from' : 'to'];
  const has = input.index.masks[subject.node] ?? 0;
  for (const channel of channelsIn(has & ~knownChannels)) {
    const bit = 1 << channel;
    const [bad, well] = [side.bad[channel] ?? 0, side.well[channel] ?? 0];
    if (well >= 1 && well > bad) working |= bit;
    else if (bad >= 1 && bad >= well) failing |= bit;
    else unseen |= bit;
  }
  return { working, failing, unseen };
}

/** What other channels of the node do. It names the plane where those of the other one do not work. */
export function beside(
  sight: PathSight,
  channels: number,
  { works, fails, unknown }: BesideWords,
): string {
  const { working, failing, unseen } = channelsBeside(sight);
  const isPart = onPlane(channels) === '' && ((failing | unseen) & channels) !== 0;
  if ((working & channels) !== 0) return `; ${works}${isPart ? onPlane(working & channels) : ''}`;
  const words =
    (failing & channels) !== 0 ? fails : (unseen & channels) !== 0 ? unknown : undefined;
  return words === undefined ? '' : `; ${words}`;
}

function outboundText(sight: PathSight): string {
  const { failing, of } = sight.notReached();
  const whom = failing < of ? `${failing} of ${of} nodes` : `any of ${of} nodes`;
  const reverse = directionOf(sight) === 'outbound' ? '; they reach it' : '';
  const node = nodeOfCause(sight);
  const label = labelOf(node, isLocal(sight) ? '' : (node?.host[0] ?? ''), failureOf(sight));
  return `${label} cannot reach ${whom}${by(sight.cause.knownChannels)}${reverse}`;
}

/** The text about most paths of the cluster, or about many of them. */
export function clusterText(sight: PathSight, what: string): string {
  const { failing, of } = othersSeen(sight);
  const { paths, well } = sight.cause;
  const share = paths / (paths + well);
  const which = share >= 0.5 ? 'most' : `${Math.round(100 * share)} % of the known`;
  return `${which} paths of the cluster ${what}${by(sight.cause.knownChannels)}${because(sight)}: ${failing} of ${of} nodes see it, and it is so with ${sight.notReached().failing} nodes`;
}
