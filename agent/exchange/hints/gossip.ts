import type { Peers } from '../../peers/peers.js';
import type { Clock } from '../../platform/clock.js';
import type { ExchangeCounter } from '../exchange-counts.js';
import type { Hint } from './hint.js';
import type { HintUse } from './hinted-probes.js';
import { NewsSpreader } from './news-spreader.js';
import { PathRumours, type HintProbing } from './path-rumours.js';
import type { SelfDoubt } from './self-doubt.js';
import type { TalkingPeers } from './talking-peers.js';
import type { TargetHint } from './target-hint.js';
import { TargetRumours, type TargetProbing } from './target-rumours.js';

/** The hints of one message. */
export interface Hints {
  readonly hints: readonly Hint[];
  readonly targetHints: readonly TargetHint[];
}

export interface GossipOptions {
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly peers: Pick<Peers, 'localName' | 'directory' | 'observers'>;
  readonly talking: TalkingPeers;
  readonly doubt: Pick<SelfDoubt, 'isDoubtful'>;
  readonly targets: TargetProbing;
  readonly counter: Pick<ExchangeCounter, 'hintsReceived' | 'hintsSent' | 'hintUse'>;
  /** Called with each node whose paths changed, as this agent newly heard. */
  readonly onNews: (node: string) => void;
  /** Sends the next GET to a peer now: its row comes with the answer. */
  readonly askForRowOf: (peer: string) => void;
  /** Asks some more peers for their rows, no more than so many. */
  readonly askForRows: (most: number) => void;
}

/** Only peers that were heard within this time are brought news. */
const talksForMs = 600_000;

/** What agents tell each other of changes: the hints to and from each peer, and who is brought news before its turn. */
export class Gossip {
  readonly paths: PathRumours;
  readonly targets: TargetRumours;
  readonly #options: GossipOptions;
  #probing: HintProbing | undefined;
  #spreader: NewsSpreader | undefined;

  constructor(options: GossipOptions) {
    this.#options = options;
    const { clock, random, peers, counter } = options;
    const { localName, directory } = peers;
    const onUse = (use: HintUse): void => {
      counter.hintUse[use]++;
    };
    const spreading = { localName, clock, random, onUse };
    this.paths = new PathRumours({ ...spreading, directory, probing: () => this.#probing });
    this.targets = new TargetRumours({
      ...spreading,
      probing: options.targets,
      nodes: () => directory.size,
      isListed: (node) => directory.get(node) !== undefined,
      askWitness: options.askForRowOf,
      askForRows: options.askForRows,
    });
  }

  /**
   * Begins to follow and to spread hints. Before that, hints are only counted.
   * @param bringForward sends a peer's next GET now
   */
  start(probing: HintProbing, bringForward: (peer: string) => void): void {
    this.#probing = probing;
    this.#spreader = new NewsSpreader({
      clock: this.#options.clock,
      nextPeer: () => this.#peerWithoutNews(),
      bringForward,
    });
  }

  /** Takes what a peer tells. */
  hear({ hints, targetHints }: Hints, from: string): void {
    const { counter, onNews } = this.#options;
    counter.hintsReceived += hints.length + targetHints.length;
    let hasNews = this.targets.hear(targetHints, from);
    for (const hint of hints) {
      if (!this.paths.rumours.hear(hint, from)) continue;
      hasNews = true;
      onNews(hint.node);
    }
    if (hasNews) this.spread();
  }

  /** What a peer is told, of paths and of targets. What may be this agent's own fault is withdrawn. */
  take(to: string): Hints {
    const { peers, doubt, counter } = this.#options;
    this.paths.rumours.withdraw(
      ({ node, plane, protocol }) => node !== peers.localName && doubt.isDoubtful(plane, protocol),
    );
    const hints = this.paths.rumours.take(to);
    const targetHints = this.targets.rumours.take(to);
    counter.hintsSent += hints.length + targetHints.length;
    return { hints, targetHints };
  }

  /** There is news: some peers are told before it is their turn. */
  spread(): void {
    this.#spreader?.start();
  }

  /** Forgets the nodes that are listed no more. */
  retain(isListed: (node: string) => boolean): void {
    this.paths.rumours.retain(({ node }) => isListed(node));
  }

  stop(): void {
    this.paths.rumours.stop();
    this.targets.stop();
    this.#spreader?.stop();
  }

  #peerWithoutNews(): string | undefined {
    const { clock, peers, talking } = this.#options;
    const nowMs = clock.nowMs();
    const both = [this.paths.rumours, this.targets.rumours];
    if (!both.some((rumours) => rumours.hasNews())) return undefined;
    const failing = new Set(
      this.paths.rumours
        .current()
        .flatMap((one) => (one.change === 'failure' ? one.subject.node : [])),
    );
    const isFit = (peer: string): boolean =>
      !failing.has(peer) &&
      nowMs - (peers.observers.heardMs(peer) ?? -Infinity) < talksForMs &&
      both.some((rumours) => rumours.hasNewsFor(peer));
    return talking.choose(isFit);
  }
}
