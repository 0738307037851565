import type { PathState } from '../../model/path-state.js';
import type { Path, Plane } from '../../model/path.js';
import type { Row } from '../../model/row.js';
import type { Protocol, Sample } from '../../model/sample.js';
import type { Peers } from '../../peers/peers.js';
import type { Clock } from '../../platform/clock.js';
import type { Gossip } from './gossip.js';
import type { HintChange } from './hint.js';
import { LoneWitness } from './lone-witness.js';
import { OtherEnd } from './other-end.js';
import type { SelfDoubt } from './self-doubt.js';
import type { TargetSubject } from './target-hint.js';

export interface WitnessOptions {
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly peers: Pick<Peers, 'localName' | 'directory' | 'expected'>;
  readonly doubt: SelfDoubt;
  readonly gossip: Gossip;
  /** The process did not get the processor recently, so its failures may be its own fault. */
  readonly isStarved: () => boolean;
  /** What the own row tells has changed: whoever asks next gets it. */
  readonly renewRow: () => void;
  /** Called with each node whose paths changed, as this agent saw. */
  readonly onNews: (node: string) => void;
}

/** What this agent sees with its own probes, and which of it peers are told: what cannot be its own fault. */
export class Witness {
  readonly #options: WitnessOptions;
  readonly #lone: LoneWitness;
  readonly #otherEnd: OtherEnd;

  constructor(options: WitnessOptions) {
    this.#options = options;
    const { clock, random, peers, gossip } = options;
    const { paths } = gossip;
    this.#lone = new LoneWitness({
      clock,
      mayBeSeenByOthers: (node) => paths.mayBeSeenFailing(node),
      call: () => this.#call(),
      probeAgain: (subject) => paths.rumours.probeNow(subject, 'recovery'),
      random,
      nodes: () => peers.directory.size,
      failingNodes: () => paths.failingNodes(),
    });
    this.#otherEnd = new OtherEnd({
      localName: peers.localName,
      probe: (subject) => paths.rumours.probeNow(subject, 'failure'),
      onTelling: (peer) => this.#lone.noteOtherEnd(peer),
    });
  }

  /** Takes the result of a probe of this agent. */
  noteSample(path: Path, protocol: Protocol, sample: Sample): void {
    const { peers, doubt, isStarved } = this.#options;
    if (sample.outcome === 'not-sent' || !peers.expected.has(path)) return;
    const failed = sample.outcome === 'failure';
    if (failed && sample.tainted === true) return;
    doubt.note(path, protocol, failed);
    if (path.plane !== 'host' || (failed && isStarved())) return;
    this.#lone.noteUnanswered(doubt.isUnanswered(peers.expected.nodes));
  }

  /**
   * Takes a changed state of a path. Peers are told if it became unreachable or reachable again.
   */
  noteTransition(path: Path, protocol: Protocol, before: PathState, after: PathState): void {
    const { peers, doubt, gossip, isStarved, onNews } = this.#options;
    const change = changeBetween(before, after);
    const { node, plane } = path;
    if (!change || !peers.expected.has(path)) return;
    const subject = { ...path, protocol };
    // An answer is one, whatever is doubtful: only failures may be this agent's own fault.
    if (change === 'recovery') this.#lone.noteEnd(subject);
    if (doubt.isDoubtful(plane, protocol) || isStarved()) return;
    // What this agent told itself before does not count: it may have been starved when it reached the node in between.
    const isFirst = !gossip.paths.isSeenByOthers(subject, change);
    gossip.paths.rumours.witness(subject, change);
    if (isFirst && change === 'failure')
      this.#lone.noteFailure(subject, this.#otherEnd.isTelling(node));
    onNews(node);
    gossip.spread();
  }

  /** Takes a suspicion: the same node's path on the other plane is then probed too. */
  noteSuspicion({ node, plane: suspected }: Path, protocol: Protocol, change: HintChange): void {
    const plane: Plane = suspected === 'host' ? 'endpoint' : 'host';
    const { doubt, gossip } = this.#options;
    if (doubt.isDoubtful(plane, protocol)) return;
    gossip.paths.rumours.probeNow({ node, plane, protocol }, change);
  }

  /** Takes a new row of a peer: it may tell that it does not reach this node. */
  noteRow(row: Row): void {
    this.#otherEnd.noteRow(row);
  }

  /** Takes a changed state of a target. Peers are told if it became unreachable or reachable again. */
  noteTarget({ target, digest, plane }: TargetSubject, before: PathState, after: PathState): void {
    const change = changeBetween(before, after);
    if (change) this.#noteTargetChange({ target, digest, plane }, change);
  }

  /** Takes that one DNS server of a target fails or answers again, while the target as a whole is well. */
  noteTargetServer({ change, ...subject }: TargetSubject & { readonly change: HintChange }): void {
    this.#noteTargetChange(subject, change);
  }

  /** Whether another node lately told that a target changed in the same way. */
  isTargetSeenByOthers(subject: TargetSubject, before: PathState, after: PathState): boolean {
    const change = changeBetween(before, after);
    return change !== undefined && this.#options.gossip.targets.isSeenByOthers(subject, change);
  }

  /** Forgets the nodes that are listed no more, and the paths of which no answer is expected any more. */
  retain(isListed: (node: string) => boolean): void {
    const { peers, doubt } = this.#options;
    const isExpected = (path: Path): boolean => peers.expected.has(path);
    doubt.retain(isExpected);
    this.#lone.retain(isListed, isExpected);
    this.#otherEnd.retain(isListed);
  }

  stop(): void {
    this.#lone.stop();
  }

  #noteTargetChange(subject: TargetSubject, change: HintChange): void {
    const { doubt, gossip, isStarved, renewRow } = this.#options;
    renewRow();
    if (isStarved()) return;
    // Where echoes are dropped everywhere, targets are reached all the same.
    if (doubt.isDoubtful(subject.plane, 'http')) return;
    if (gossip.targets.rumours.witness(subject, change)) gossip.spread();
  }

  /** Asks all peers to probe this agent. A hint about its own sender says nothing of its paths; who probes gets its row. */
  #call(): void {
    const { peers, gossip, renewRow } = this.#options;
    renewRow();
    const subject = { node: peers.localName, plane: 'host', protocol: 'http' } as const;
    gossip.paths.rumours.witness(subject, 'failure');
    gossip.spread();
  }
}

function changeBetween({ state: before }: PathState, { state }: PathState): HintChange | undefined {
  if (state === 'unreachable') return 'failure';
  return state === 'reachable' && before === 'unreachable' ? 'recovery' : undefined;
}
