import { channels } from '../../model/channel.js';
import type { Path } from '../../model/path.js';
import type { Protocol } from '../../model/sample.js';
import type { NodeDirectory } from '../../peers/node-directory.js';
import { encodeHint, maxHintBytes } from './hint-codec.js';
import {
  hintKey,
  hintLifetimeMs,
  maxHintsPerMessage,
  type Hint,
  type HintChange,
  type HintSubject,
} from './hint.js';
import { hintedSpreadMs, minHintedGapMs } from './hinted-delay.js';
import type { Activity } from './hinted-probes.js';
import { Rumours, type RumoursOptions } from './rumours.js';

/** The state of a path by one protocol. Times are monotonic milliseconds, -Infinity for never. */
export interface PathActivity extends Activity {
  /** When the newest answered probe was sent. */
  readonly answeredSentMs: number;
}

/** The part of probing that hints use. */
export interface HintProbing {
  /** Undefined if that protocol does not probe the path, or has not yet. */
  activity(path: Path, protocol: Protocol): PathActivity | undefined;
  /**
   * Sends one probe when the agent's own confirmations leave room. Its result is treated like any
   * other.
   */
  probeSoon(path: Path, protocol: Protocol): void;
}

export interface PathRumoursOptions extends Omit<RumoursOptions<HintSubject, Hint>, 'kind'> {
  readonly directory: Pick<NodeDirectory, 'get' | 'primaryPath' | 'size' | 'zoneOf'>;
  /** Undefined while nothing is probed yet. */
  readonly probing: () => HintProbing | undefined;
}

/** Rumours of paths: the primary address of a node on a plane, by one protocol. */
export class PathRumours {
  readonly #localName: string;
  readonly rumours: Rumours<HintSubject, Hint>;

  constructor(options: PathRumoursOptions) {
    const { localName, directory, probing } = options;
    this.#localName = localName;
    const activity = ({ node, plane }: HintSubject, protocol: Protocol) => {
      const path = directory.primaryPath(node, plane);
      return path && probing()?.activity(path, protocol);
    };
    this.rumours = new Rumours({
      ...options,
      kind: {
        keyOf: hintKey,
        laneOf: ({ node }) => directory.zoneOf(node) ?? '',
        isKnown: ({ node }) => node !== localName && directory.get(node) !== undefined,
        witnessOf: ({ isWitness }, from) => (isWitness ? from : undefined),
        hintOf: ({ node, plane, protocol }, telling, witnesses) => ({
          node,
          plane,
          protocol,
          ...telling,
          isWitness: witnesses.has(localName),
        }),
        encode: encodeHint,
        perMessage: { hints: maxHintsPerMessage, bytes: maxHintBytes },
        capacity: 512,
        newsRestMs: hintLifetimeMs,
        keptMs: hintLifetimeMs,
        isRenewed: true,
        isSentAgain: false,
        // A third of 1,000 nodes may die at once, and one peer may be the first to tell of all of them.
        newsOfSender: { most: 4096, perSecond: 64 },
        changesOfSubject: { most: 4, perSecond: 1 / 10 },
        probeKeyOf: hintKey,
        activity: (subject) => activity(subject, subject.protocol),
        probe({ node, plane, protocol }) {
          const path = directory.primaryPath(node, plane);
          if (path) probing()?.probeSoon(path, protocol);
        },
        spreadMs: (subject, change, bornMs) => {
          const echo = activity(subject, 'icmp');
          const known = this.rumours.find(subject, change);
          return hintedSpreadMs({
            protocol: subject.protocol,
            change,
            nodes: directory.size,
            witnesses: known ? this.rumours.witnesses(known) : 0,
            answersEchoes: echo !== undefined && echo.answeredSentMs >= bornMs,
          });
        },
        leastGapMs: minHintedGapMs,
        latestMs: Infinity,
        againMs: () => undefined,
      },
    });
  }

  /** Whether another agent saw a change of a path itself. A node that calls says nothing of its paths. */
  isSeenByOthers(subject: HintSubject, change: HintChange): boolean {
    const { witnesses = [] } = this.rumours.find(subject, change) ?? {};
    return [...witnesses].some((name) => name !== this.#localName && name !== subject.node);
  }

  /** Whether another agent saw any path to a node fail, or may have told so. */
  mayBeSeenFailing(node: string): boolean {
    // Every channel of a node is in its lane.
    const any: HintSubject = { node, plane: 'host', protocol: 'icmp' };
    if (this.rumours.hasForgotten(any)) return true;
    return channels.some((channel) => this.isSeenByOthers({ node, ...channel }, 'failure'));
  }

  /** Of how many other nodes hints tell that paths to them fail, or that they call. */
  failingNodes(): number {
    const failing = this.rumours
      .ofChange('failure')
      .filter(({ witnesses }) => witnesses.size !== 1 || !witnesses.has(this.#localName));
    return new Set(failing.map(({ subject }) => subject.node)).size;
  }
}
