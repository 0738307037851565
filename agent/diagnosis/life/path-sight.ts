import { notReached, seenBy } from '../evidence/counts.js';
import {
  beganMsAgo,
  commonFailure,
  refusalsOf,
  sampleEntries,
  toEvidence,
} from '../evidence/evidence-paths.js';
import { detectS, type ProbeTime } from '../evidence/time-model.js';
import { observerAt, type Facts, type Observer } from '../evidence/observations.js';
import { flowsOf } from '../search/flows.js';
import { lossesOf, packetWaysOf } from '../evidence/large-packets.js';
import { channelsOfAll, onChannels, turned, type Cause } from '../nouns/cause.js';
import { httpMask, maskWhere } from '../nouns/channel-mask.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { FindingEvidence } from '../nouns/finding.js';
import type { CauseFlows, PacketWays, Seen, SeenBy, Side } from '../nouns/sight.js';
import type { ExplainedTrouble } from '../search/explain-trouble.js';
import { oneFlowPaths } from '../search/one-flow.js';
import { endOf } from './end-of-cause.js';
import { pastCause } from './remembered-causes.js';
import { signsOfLife } from './signs-of-life.js';
import { mayBeOneWithOthers } from './one-with-others.js';
import { isSure } from './opening.js';
import type { FailureKind } from '../../model/failure.js';
import type { RowLargeLoss } from '../../model/row-large.js';
import { timesOf } from '../evidence/paths-of.js';
import { areEchoesTelling, mayBeServers } from './about-servers.js';
import { isUnansweredSince } from '../evidence/unanswered.js';

/** A node that dies loses probes too, before its paths have failed for all. */
const oneFlowMs = 10_000;

/**
 * A cause of failing, lossy or slow paths with all that its finding is named and written from. There may be thousands, so what
 * takes time to count is counted when it is asked for: of many causes that become one finding, one is.
 */
export class PathSight {
  readonly input: DiagnosisInput;
  readonly localNode: number;
  readonly facts: Facts;
  readonly explained: ExplainedTrouble;
  /** Of a cause at one node: its number; -1 for another one. */
  readonly node: number;
  /** What that node tells itself; undefined without its row. */
  readonly own: Observer | undefined;
  /** The cause as it was found: its finding has the id of these channels, however it is told. */
  readonly found: Cause;
  /**
   * The cause as it is told. Its subject is turned: the first of two is the one whose probes fail, or whose large packets are
   * lost. Where it is about servers alone, it has no echoes.
   */
  readonly cause: Cause;
  /** Nobody knows whether its node answers echoes, so only servers are known to fail. */
  readonly isAboutServers: boolean;
  readonly life: ReturnType<typeof signsOfLife>;
  readonly beganMsAgo: number;
  readonly sides: { readonly to: Side; readonly from: Side };
  /** Of large packets: what the witnesses say, and which way the packets went. */
  readonly losses: readonly RowLargeLoss[];
  readonly packets: PacketWays | undefined;
  /** Of losses: the flows that never pass, and the failing paths that they explain too. */
  readonly flows: CauseFlows | undefined;
  readonly oneFlow: readonly Cause[];
  readonly #sample: readonly number[];
  #seen: SeenBy | undefined;

  constructor(found: Cause, facts: Facts, explained: ExplainedTrouble) {
    const { input, index, localNode } = facts;
    const { tally, explanation, subjects, larger } = explained;
    this.facts = facts;
    this.explained = explained;
    this.input = input;
    this.localNode = localNode;
    const isLarge = found.trouble === 'mtu';
    const losses = isLarge ? lossesOf(found, tally) : [];
    const foundPackets = isLarge ? packetWaysOf(found, tally, losses) : undefined;
    this.found = (foundPackets?.ways ?? found.ways) === 'out' ? turned(found) : found;
    const { subject } = this.found;
    this.sides = subjects.sides(subject);
    this.flows = flowsOf(found, tally, explanation);
    this.#sample = sampleEntries(this.found, tally, localNode);
    this.beganMsAgo = beganMsAgo(this.found, tally, this.#sample, explanation);
    this.node = subject.type === 'node' ? subject.node : -1;
    this.own = observerAt(facts.observations, this.node);
    const seen = () => this.#countSeen(this.found);
    this.life = signsOfLife(this.found, facts, explained, this.beganMsAgo, seen);
    this.isAboutServers =
      mayBeServers(this.found, this.life.lives || this.node === localNode) &&
      !areEchoesTelling(this.found, this.sides.to, larger, index);
    this.cause = this.isAboutServers ? onChannels(this.found, httpMask, tally.bad) : this.found;
    this.losses = losses.map(({ loss }) => loss);
    this.packets = foundPackets && packetWaysOf(this.cause, tally, losses);
    this.oneFlow =
      found.trouble === 'lossy' && this.beganMsAgo >= oneFlowMs
        ? oneFlowPaths(found, this.flows, tally, subjects)
        : [];
  }

  /** Where much else fails, the probes that confirm its paths wait for their turn for so long. */
  get confirmMs(): number {
    return 1000 * Math.max(...this.#probeTimes.map(({ confirmS }) => confirmS));
  }

  /** By how much longer it takes until all know that its paths work again than that they fail. */
  get lateRecoveryMs(): number {
    const lateS = this.#probeTimes.map(({ recoveredS, hintedS }) => recoveredS - hintedS);
    return 1000 * Math.max(...lateS);
  }

  /** Of a broken cause: whether looks that are still to come can make no other one of it. */
  isSure(): boolean {
    if (mayBeOneWithOthers(this.found, this.explained, this.input, this.life.isHeard)) return false;
    const own = this.cause.ways === 'in' ? undefined : this.own;
    const sinceS = this.beganMsAgo / 1000;
    const unanswered = maskWhere(
      (channel) => own !== undefined && isUnansweredSince(own, channel, sinceS),
    );
    return isSure(this.found, this.explained, this.seen(), unanswered);
  }

  /** Whether rows tell that it has ended, though others of before still say that it goes on. */
  hasEnded(): boolean {
    const { found, input, explained, beganMsAgo } = this;
    const past = pastCause(found, input.now - beganMsAgo, input);
    return endOf(past, found.subject, { input, tally: explained.tally }).endedMs !== undefined;
  }

  refusals() {
    return refusalsOf(this.cause, this.explained.tally, this.explained.explanation);
  }

  /** The observers that see it, the node itself too. */
  seen(): SeenBy {
    return (this.#seen ??= this.#countSeen(this.#ofItsOwn()));
  }

  notReached(): Seen {
    return notReached(this.cause, this.explained.tally, this.beganMsAgo / 1000);
  }

  /** Of a group: whether its nodes reach each other, though others do not reach them, or they do not reach others. */
  reachesItself(): boolean {
    const { subject, knownChannels } = this.cause;
    const { groups } = this.explained.subjects;
    return subject.type === 'group' && groups.reachesItself(subject.group, knownChannels);
  }

  failure(): FailureKind | undefined {
    const { tally, explanation } = this.explained;
    return commonFailure(this.cause, tally, this.#sample, explanation);
  }

  /** An observer that fails, and the node that it fails to reach: commands use both. */
  ends() {
    const { nodes } = this.input.index;
    const { subject } = this.cause;
    if (subject.type === 'pair') return { from: nodes[subject.from], to: nodes[subject.to] };
    const [first = -1] = this.#sample;
    const { from, to } = this.explained.tally.observations.entries;
    return { from: nodes[from[first] ?? -1], to: nodes[to[first] ?? -1] };
  }

  /** Some of its paths, those of the local node first; as many as a finding shows, or fewer. */
  evidence(most?: number): FindingEvidence[] {
    const sample = this.#sample.slice(0, most);
    return toEvidence(this.cause, this.explained.tally, sample, this.input).slice(0, most);
  }

  get #probeTimes(): readonly ProbeTime[] {
    const { subject, ways, channels: broken } = this.cause;
    const beganS = this.beganMsAgo / 1000 + detectS;
    return timesOf(subject, ways, broken, beganS, this.explained.tally);
  }

  /** Of what fails for the whole cluster too nobody sees that it fails here. */
  #ofItsOwn(): Cause {
    const { cause } = this;
    const { tally, larger } = this.explained;
    const mask = cause.knownChannels & ~channelsOfAll(larger);
    return mask === 0 ? cause : onChannels(cause, mask, tally.bad);
  }

  #countSeen(cause: Cause): SeenBy {
    const { tally, subjects } = this.explained;
    const entriesOf = () => subjects.entriesOf(cause.subject, cause.ways);
    return seenBy(cause, tally, entriesOf, this.beganMsAgo / 1000 + detectS);
  }
}
