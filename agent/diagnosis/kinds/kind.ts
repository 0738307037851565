import type { Finding, FindingKind, Severity } from '../nouns/finding.js';
import type { PathSight } from '../life/path-sight.js';
import type { TargetSight } from '../life/target-sight-of.js';
import type { Command, CommandSubject } from './command.js';

/** What is fixed of a kind of finding. */
export interface Kind extends Marks {
  readonly kind: FindingKind;
  /** The rules of deploy/alerts/meshprobe.rules.yaml that tell of it; left out where those for all others do. */
  readonly alerts?: Readonly<Partial<Record<Severity, string>>>;
}

/** What others than the findings ask of a kind. */
export interface Marks {
  /** It tells of meshprobe's own programs on the node, and not of its network. */
  readonly isAboutAgent?: true;
  /** It tells what the host of a node counts, and says nothing of its paths. */
  readonly isAboutHost?: true;
  /** The agent of the node alone knows of it, so nobody else can tell anybody. */
  readonly isKnownAtHomeAlone?: true;
  /** Unless it is told as inbound, it says that its node or agent sends nothing on the host plane, so whatever it sends ends it. */
  readonly isSilent?: true;
  /** Lost large packets may be behind it, so the large GETs of its nodes are brought forward. */
  readonly mayBeLarge?: true;
}

/** A kind of finding that tells of causes: of paths, or about targets. */
interface CauseKind<Sight> extends Kind {
  /** Whether a cause is of this kind. Of all kinds one is right. */
  readonly applies: (sight: Sight) => boolean;
  /** How many milliseconds after its beginning it opens, at the earliest. */
  readonly waitsMs: (sight: Sight) => number;
  /** One sentence that says what is wrong, as a colleague would say it. */
  readonly text: (sight: Sight) => string;
}

/** A kind of finding about paths. */
export interface PathKind extends CauseKind<PathSight> {
  /** The commands that tell more, best first. */
  readonly next: (about: CommandSubject) => readonly Command[];
  /**
   * What follows the number of subjects where many are told as one: `are down`.
   * @param about.channels those that fail for one of them at least, as a mask
   */
  readonly plural: (about: { readonly probePort: number; readonly channels: number }) => string;
  /** What only this kind says beside its text. */
  readonly fields?: (sight: PathSight) => Partial<Finding>;
}

/** A kind of finding about targets. */
export interface TargetKind extends CauseKind<TargetSight> {
  /** What each look of its evidence says; left out: its failure. */
  readonly lookWords?: string;
  /** What many nodes do, where they are told as one; left out where it is never about single nodes. */
  readonly plural?: (target: string) => string;
}
