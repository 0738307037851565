import type { Cause, Ways } from './nouns/cause.js';
import {
  allMask,
  endpointHttpMask,
  endpointIcmpMask,
  endpointMask,
  hostHttpMask,
  hostIcmpMask,
  hostMask,
  httpMask,
  icmpMask,
  planeOf,
  protocolsOf,
} from './nouns/channel-mask.js';
import type { ClusterIndex } from './nouns/cluster-index.js';
import { nextCommands } from './commands.js';
import { notReached, seenBy, type Seen, type SeenBy } from './counts.js';
import { isoTime } from './nouns/diagnosis-input.js';
import type { Candidate } from './nouns/candidate.js';
import type { Facts } from './facts.js';
import { beganMsAgo, commonFailure, sampleEntries, toEvidence, wordsOf } from './evidence-paths.js';
import type { Explanation } from './explanation.js';
import type { Finding } from './nouns/finding.js';
import { flowsOf, flowsText, type CauseFlows } from './flows.js';
import { hearingSince, isSilenceSure, slackMs } from './hearing.js';
import { lossesOf, packetWaysOf, type LargeLoss, type PacketWays } from './large-losses.js';
import { sizesOf } from './mtu-text.js';
import { nameCause, namesOf } from './nouns/named-cause.js';
import { nameOf, type Name } from './naming.js';
import { leastShare } from './prior.js';
import { oneFlowPaths, oneFlowText } from './one-flow.js';
import type { Subjects } from './subjects.js';
import type { Side, Tally } from './tally.js';
import { textOf } from './text.js';
import { tracersOf } from './tracers.js';

/** A cause with all that its name and text are made from. */
export interface NamedSight {
  readonly cause: Cause;
  readonly tally: Tally;
  readonly name: Name;
  /** Of a cause about large packets: what its witnesses say, and which way the packets went. */
  readonly losses: readonly LargeLoss[];
  readonly packets: PacketWays | undefined;
  /** Some of its entries, which represent all. */
  readonly sample: readonly number[];
  readonly beganMsAgo: number;
  /** Counted when it is asked for: of many causes that become one finding, one is. */
  readonly seen: () => SeenBy;
  /** Of a cause of losses: the flows that never pass, and the failing paths that it explains too. */
  readonly flows: CauseFlows | undefined;
  readonly oneFlow: readonly Cause[];
  /** At least one observer heard its own GETs since. */
  readonly isHeardAtAll: boolean;
  /** Of zones and the cluster: whether rows name most paths of a direction as failing. True for any other subject. */
  readonly isToldWhole: boolean;
  /** Whether enough GETs of its node would have been heard by now if it still sent any. */
  readonly isSilenceSure: () => boolean;
}

/** In this time all have seen what fails, so that a part is not taken for the whole. */
const completeSettleMs = 2000;
/** Where half of the rows are from before the trouble, or one observer alone sees it. */
const incompleteSettleMs = 10_000;
/** This long after a path failed for one observer, the others have looked, because of hints. */
const hintedLookS = 1.5;
/** Other channels may fail a little later, so a part takes longer to tell from the whole. */
const partLookS = 2.5;
const lossySettleMs = 10_000;
/** A busy host answers late for some seconds, and two busy hosts may follow each other. */
const slowSettleMs = 60_000;
/** In this time the others have tested their paths to the same nodes, three times where large packets are lost. */
const [largeLossSettleMs, pairLossSettleMs] = [20_000, 30_000];
/**
 * A server that restarts refuses connections for this long. After that, its peers need this time to
 * probe it again.
 */
const restartMs = 5000;
const restartedMs = 30_000;
/** The word of a single observer is not enough to call a node alive, where others look too. */
const leastHearing = 2;

/** The explanation that a cause is a part of. */
export interface Explained {
  readonly tally: Tally;
  readonly explanation: Explanation;
  readonly subjects: Subjects;
}

/** Looks at a cause for what its name depends on. */
export function sightOf(
  found: Cause,
  facts: Facts,
  { tally, explanation, subjects }: Explained,
): NamedSight {
  const isLarge = found.trouble === 'mtu';
  const losses = isLarge ? lossesOf(found, tally) : [];
  const foundPackets = isLarge ? packetWaysOf(found, tally, losses) : undefined;
  const cause = turned(found, foundPackets?.ways ?? found.ways);
  const packets = foundPackets && packetWaysOf(cause, tally, losses);
  const isShared = (entry: number, channel: number) => explanation.isShared(entry, channel);
  const flows = flowsOf(found, tally, isShared);
  const { index, observations, localNode } = facts;
  const sample = sampleEntries(cause, tally, localNode);
  const began = beganMsAgo(cause, tally, sample, isShared);
  const lookS = cause.claim === allMask ? hintedLookS : partLookS;
  let counted: SeenBy | undefined;
  const seen = () =>
    (counted ??= seenBy(
      cause,
      tally,
      () => subjects.knownEntries(cause.subject, cause.ways),
      began / 1000 - lookS,
    ));
  const node = cause.subject.type === 'node' ? cause.subject.node : -1;
  const own = observations.observers[observations.observerOf[node] ?? -1];
  const hearing = node === -1 ? 0 : hearingSince(facts, node, began);
  const isHeard = hearing >= leastHearing || (hearing > 0 && hearing >= seen().of);
  const tellsOfNow = own !== undefined && 1000 * own.ageS < began - slackMs;
  const lives = isHeard || tellsOfNow;
  const { to, from } = subjects.sides(cause.subject);
  const isRegion = cause.subject.type === 'zones' || cause.subject.type === 'cluster';
  const name = nameOf(cause, {
    to,
    from,
    isObserver: tellsOfNow,
    has: index.masks[node] ?? 0,
    lives,
    isLocal: node === localNode,
    packets,
  });
  return {
    cause,
    tally,
    name,
    losses,
    packets,
    sample,
    beganMsAgo: began,
    seen,
    flows,
    // A node that dies loses probes too, before its paths have failed for all.
    oneFlow:
      found.trouble === 'lossy' && began >= lossySettleMs
        ? oneFlowPaths(found, flows, tally, subjects)
        : [],
    isHeardAtAll: hearing > 0,
    isToldWhole: !isRegion || isToldWhole(cause, { to, from }),
    isSilenceSure: () => node === -1 || isSilenceSure(facts, node, began, hearing),
  };
}

/** The first of two nodes or zones is the one whose probes fail, or whose large packets are lost. */
function turned(cause: Cause, lost: Ways): Cause {
  const { subject } = cause;
  if (lost !== 'out') return cause;
  const ways = cause.ways === 'both' ? 'both' : cause.ways === 'in' ? 'out' : 'in';
  if (subject.type === 'pair') {
    return { ...cause, subject: { type: 'pair', from: subject.to, to: subject.from }, ways };
  }
  if (subject.type !== 'zones' || subject.other === undefined) return cause;
  const { zone, other } = subject;
  return { ...cause, subject: { type: 'zones', zone: other, other: zone }, ways };
}

/** Writes the finding of a cause: its text, evidence and next commands. */
export function buildFinding(sight: NamedSight, facts: Facts): Candidate {
  const { cause, tally, name, sample, beganMsAgo: began, flows, oneFlow } = sight;
  const seen = sight.seen();
  const { input, index, localNode } = facts;
  const { subject, mask } = cause;
  const node = subject.type === 'node' ? index.nodes[subject.node] : undefined;
  const isLocal = subject.type === 'node' && subject.node === localNode;
  const { from, to } = endsOf(sight, facts);
  const names = namesOf(subject, index);
  const failure = commonFailure(cause, tally, sample);
  const plane = planeOf(mask);
  const sinceMs = input.now - began;
  const timeOf = (ageMs: number) => isoTime(input, input.now - ageMs);
  const losses = sight.losses.map(({ loss }) => loss);
  const { size } = sizesOf(losses);
  const id = idOf(cause, index);
  const tracedBy = tracersOf(id, cause, tally, index);
  const finding: Finding = {
    id,
    kind: name.kind,
    severity: cause.trouble === 'broken' ? 'broken' : 'degraded',
    ...(node && { node: node.name }),
    ...(plane && { plane }),
    ...(size !== undefined && { size }),
    protocols: protocolsOf(mask),
    ...(name.direction && { direction: name.direction }),
    since: timeOf(began),
    seenBy: { failing: seen.failing, of: seen.of },
    explains: oneFlow.reduce((sum, { paths }) => sum + paths, cause.paths),
    confidence: confidenceOf(cause),
    text: `${textOf({
      cause,
      name,
      node,
      from,
      to,
      zones: subject.type === 'zones' ? names : [],
      isLocal,
      // The text of a node's finding needs this only for the node's own paths.
      targets: subject.type === 'node' && cause.ways !== 'out' ? none : notReached(cause, tally),
      seenBy: others(cause, seen),
      // "No answer" tells the reader nothing new.
      failure: failure === undefined || failure === 'timeout' ? undefined : wordsOf(failure),
      probePort: input.probePort,
      losses,
      packets: sight.packets,
    })}${oneFlowText(oneFlow)}${flows ? flowsText(flows) : ''}`,
    next: nextCommands({
      kind: name.kind,
      from,
      to: node ?? to,
      isEverywhere: subject.type === 'cluster',
      plane,
      probePort: input.probePort,
      namespace: input.namespace,
    }),
    evidence: toEvidence(cause, tally, sample, {
      nameOf: (number) => index.nodes[number]?.name ?? '',
      timeOf,
    }),
    ...(subject.type === 'zones' && { zones: names }),
    ...(subject.type === 'pair' && { pair: [names[0] ?? '', names[1] ?? ''] as [string, string] }),
    ...(flows && { flows: { failing: flows.failing, tried: flows.tried } }),
    ...(tracedBy.length > 0 && { tracedBy }),
    ...(isLocal && { local: true as const }),
  };
  const causes = [nameCause(cause, index)];
  return { finding, sinceMs, settleMs: settleMs(sight), causes, explained: [cause, ...oneFlow] };
}

const none: Seen = { failing: 0, of: 0 };

/** What the channels of a cause are called in the id of its finding. */
const labels: ReadonlyMap<number, string> = new Map([
  [allMask, 'node'],
  [hostMask, 'host-plane'],
  [endpointMask, 'endpoint-plane'],
  [icmpMask, 'icmp-filtered'],
  [httpMask, 'http-filtered'],
  [hostHttpMask, 'agent'],
  [endpointHttpMask, 'endpoint'],
  [hostIcmpMask, 'icmp-filtered:host'],
  [endpointIcmpMask, 'icmp-filtered:endpoint'],
]);

/**
 * The id of a cause's finding. It is made of the subject and the channels, so that it stays when
 * more is known and the finding gets another name.
 */
function idOf({ subject, trouble, claim }: Cause, index: ClusterIndex): string {
  const names = namesOf(subject, index);
  if (subject.type === 'pair' || subject.type === 'zones') names.sort();
  if (trouble !== 'broken') {
    return [
      trouble,
      ...(subject.type === 'cluster' ? [planeOf(claim) ?? 'all'] : [names.join(',')]),
    ].join(':');
  }
  if (subject.type === 'pair' || subject.type === 'zones')
    return `${subject.type}:${names.join(',')}`;
  if (subject.type === 'cluster') {
    const protocol = (claim & icmpMask) === 0 ? 'http-filtered' : 'icmp-filtered';
    const isProtocol = protocolsOf(claim).length === 1;
    return isProtocol ? `${protocol}:${planeOf(claim) ?? 'all'}` : `${labels.get(claim) ?? ''}:all`;
  }
  return `${labels.get(claim) ?? 'node'}:${names[0] ?? ''}`;
}

/** An observer that fails, and the node that it fails to reach: the next commands use both. */
export function endsOf({ cause: { subject }, tally, sample }: NamedSight, { index }: Facts) {
  if (subject.type === 'pair') {
    return { from: index.nodes[subject.from], to: index.nodes[subject.to] };
  }
  const { from, to } = tally.observations.entries;
  const [first = -1] = sample;
  return { from: index.nodes[from[first] ?? -1], to: index.nodes[to[first] ?? -1] };
}

/** The observers other than the node itself, if it sees the same of others. */
function others({ subject, ways }: Cause, { failing, of }: Seen): Seen {
  const isOneOfThem = subject.type === 'node' && ways === 'both';
  return isOneOfThem ? { failing: failing - 1, of: of - 1 } : { failing, of };
}

/** The share of the observed paths that fail. Few paths give a lower confidence. */
function confidenceOf({ paths, well, isPartial, trouble }: Cause): number {
  const share = (paths + 0.5) / (paths + well + 1.5);
  const doubt = isPartial || trouble !== 'broken' ? 0.8 : 1;
  return Math.round(share * doubt * 100) / 100;
}

/**
 * Rows that were not confirmed since the trouble count little as yet. So few failing paths between small zones, or of two
 * nodes of a small cluster, may look like all of them. What a zone that is cut off sees does not arrive, so one direction is enough.
 */
function isToldWhole(
  { mask, ways }: Cause,
  { to, from }: { readonly to: Side; readonly from: Side },
): boolean {
  const isWhole = ({ bad, told = bad }: Side) =>
    [0, 1, 2, 3].every(
      (channel) =>
        ((mask >> channel) & 1) === 0 ||
        (bad[channel] ?? 0) >= leastShare * Math.max(told[channel] ?? 0, 1),
    );
  return (ways !== 'out' && isWhole(to)) || (ways !== 'in' && isWhole(from));
}

/** How long after its beginning a cause opens a finding. */
export function settleMs(sight: NamedSight): number {
  const { cause, name, tally, sample, isHeardAtAll } = sight;
  if (cause.trouble === 'lossy') return lossySettleMs;
  if (cause.trouble === 'slow') return slowSettleMs;
  if (cause.trouble === 'mtu')
    return cause.subject.type === 'pair' ? pairLossSettleMs : largeLossSettleMs;
  const failure = commonFailure(cause, tally, sample);
  const isServer =
    name.kind === 'agent-down' || name.kind === 'endpoint-down' || name.kind === 'http-filtered';
  if (isServer && (failure === 'refused' || failure === 'reset')) {
    return isHeardAtAll ? restartedMs : restartMs;
  }
  const seen = sight.seen();
  const isComplete =
    sight.isToldWhole &&
    2 * seen.confirmed >= seen.of &&
    (seen.failing > 1 || seen.of < 2) &&
    (name.kind !== 'node-down' || sight.isSilenceSure());
  return isComplete ? completeSettleMs : incompleteSettleMs;
}
