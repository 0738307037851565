import type { DiagnosisOutput } from '../diagnosis/nouns/diagnosis-input.js';
import type { Finding } from '../diagnosis/nouns/finding.js';
import { endsOf, isAtEnd } from '../diagnosis/kinds/finding-ends.js';
import type { Clock } from '../platform/clock.js';
import type { EventLog } from '../reports/event-log.js';
import { noTargets, type TargetsView } from '../targets/views.js';
import { findingEvents } from './change-events.js';
import type { IndexedNodes } from './indexed-nodes.js';

/** Who else is told what a run of the diagnosis brought. */
export interface FindingsListeners {
  /** Called with the open findings after each diagnosis. */
  readonly onFindings?: (findings: readonly Finding[]) => void;
  /** Called after each diagnosis that has an open finding of the own node, of a pair or a group that it is in. */
  readonly onOwnFinding?: () => void;
  /** Called with the nodes to or from which large packets are lost, after each run of the diagnosis. */
  readonly onSuspected?: (suspected: DiagnosisOutput['suspected']) => void;
  /** Called while newer rows would decide something. */
  readonly askForRows: () => void;
  /** Called with each node whose next row would decide whether a pair is repaired. */
  readonly askForRowOf?: (node: string) => void;
}

export interface FindingsTellerOptions extends FindingsListeners {
  readonly localName: string;
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly events: EventLog;
  readonly list: Pick<IndexedNodes, 'made'>;
  /** The targets as this agent sees them; left out, there are none. */
  readonly targets?: TargetsView;
}

/** Tells what each run of the diagnosis brought: events to readers, and the rest to those who act on it. */
export class FindingsTeller {
  readonly #options: FindingsTellerOptions;
  /** The targets of findings that this agent had itself. */
  readonly #watched = new Set<string>();

  constructor(options: FindingsTellerOptions) {
    this.#options = options;
  }

  /** Takes what a run brought, and what the one before it did. */
  tell(result: DiagnosisOutput, before: DiagnosisOutput | undefined): void {
    const { localName, clock, events, list } = this.#options;
    const { onSuspected, onFindings, onOwnFinding, askForRows, askForRowOf } = this.#options;
    const wallMs = clock.wallMs();
    const isWatched = (finding: Finding): boolean => this.#isWatched(finding);
    for (const { target } of result.findings) {
      if (target !== undefined && this.#watches(target)) this.#watched.add(target);
    }
    for (const event of findingEvents(result, before, wallMs, isWatched)) events.add(event);
    onSuspected?.(result.suspected);
    onFindings?.(result.findings);
    const index = list.made;
    const isOwn = (one: Finding): boolean =>
      one.local === true || (index !== undefined && isAtEnd(one, localName, index));
    if (result.findings.some(isOwn)) onOwnFinding?.();
    if (result.wantsRows) askForRows();
    for (const node of result.outdated) askForRowOf?.(node);
  }

  /** Whether this agent still has the target of a finding, or never had it, as rows may tell of others; and its nodes are still listed. */
  #isWatched(finding: Finding): boolean {
    const { target } = finding;
    if (target !== undefined && this.#watched.has(target) && !this.#watches(target)) return false;
    const index = this.#options.list.made;
    return !index || endsOf(finding, index).every((node) => index.numberOf.has(node));
  }

  #watches(name: string): boolean {
    const { targets = noTargets } = this.#options;
    return targets.targets().some(({ target }) => target.name === name);
  }
}
