import type { Outcome, VisibleFault } from './outcome.js';

/** How many of some scenarios are as they should be. */
export interface Share {
  part: number;
  whole: number;
}

/** How often faults of one kind were made and visible, found, and named by the first finding. */
interface KindFigures {
  made: number;
  first: number;
  found: number;
}

export const sizeClasses = ['< 12', '12-59', '60+'] as const;
type SizeClass = (typeof sizeClasses)[number];

/** What many scenarios gave. Undecidable ones count in `undecidable` alone. */
export interface Figures {
  /**
   * The findings are exactly the visible faults, by the number of these and the number of nodes.
   */
  readonly exact: Map<number, Record<SizeClass, Share>>;
  /** The first finding names a made fault. */
  readonly first: Share;
  /** Each visible fault is named by some finding. */
  readonly found: Share;
  /** Scenarios without a fault that have a finding. */
  readonly falseAlarms: Share;
  /** Scenarios with a finding that names no made fault, or the same as another one. */
  readonly extra: Share;
  /** Scenarios whose findings could be the truth, by the reason. */
  readonly undecidable: Map<string, number>;
  /** Scenarios that name missing observers, of those that miss some, and wrong ones. */
  readonly observersMissing: Share & { wrong: number };
  /** Findings of losses that say of flows that they never pass, of those where it is so, and of the others. */
  readonly flowsTold: Share;
  readonly flowsWrong: Share;
  readonly byKind: Map<string, KindFigures>;
  /** One line for each scenario that is not exact, with its seed. */
  readonly wrong: string[];
}

export function newFigures(): Figures {
  const share = (): Share => ({ part: 0, whole: 0 });
  return {
    exact: new Map(),
    first: share(),
    found: share(),
    falseAlarms: share(),
    extra: share(),
    undecidable: new Map(),
    observersMissing: { ...share(), wrong: 0 },
    flowsTold: share(),
    flowsWrong: share(),
    byKind: new Map(),
    wrong: [],
  };
}

/** Adds what one scenario gave. */
export function add(figures: Figures, outcome: Outcome): void {
  const { seed, isExact, isFirst, visible, isExtra, undecidable, observers } = outcome;
  const { missing, wrong } = { missing: figures.observersMissing, wrong: figures.wrong };
  if (observers.isMissing) count(missing, observers.isSaid);
  if (observers.wrong.length > 0) {
    missing.wrong++;
    wrong.push(
      `seed ${seed}: observers-missing names ${observers.wrong.join(', ')} with fresh rows`,
    );
  }
  const { sticky, told, wrong: wronglyTold, random } = outcome.flows;
  addTo(figures.flowsTold, told, sticky);
  addTo(figures.flowsWrong, wronglyTold, random);
  if (!isExact) wrong.push(outcome.line);
  else if (wronglyTold > 0) wrong.push(`flows are told wrongly, ${outcome.line}`);
  if (undecidable !== undefined) {
    figures.undecidable.set(undecidable, (figures.undecidable.get(undecidable) ?? 0) + 1);
    return;
  }
  count(outcome.made === 0 ? figures.falseAlarms : figures.extra, isExtra);
  // Nobody can know of a fault that is not visible.
  if (visible.length === 0) return;
  count(exactShare(figures, outcome), isExact);
  count(figures.first, isFirst);
  count(
    figures.found,
    visible.every(({ isFound }) => isFound),
  );
  for (const fault of visible) addKind(figures, fault);
}

function addKind({ byKind }: Figures, { what, isFound, isFirst }: VisibleFault): void {
  const figures = byKind.get(what) ?? { made: 0, first: 0, found: 0 };
  byKind.set(what, figures);
  figures.made++;
  if (isFound) figures.found++;
  if (isFirst) figures.first++;
}

function count(share: Share, isPart: boolean): void {
  share.whole++;
  if (isPart) share.part++;
}

function addTo(share: Share, part: number, whole: number): void {
  share.part += part;
  share.whole += whole;
}

/** From this number of faults on, scenarios are counted together. */
export const manyFaults = 4;

function exactShare({ exact }: Figures, { visible, nodes }: Outcome): Share {
  const faults = Math.min(visible.length, manyFaults);
  const bySize = exact.get(faults) ?? {
    '< 12': { part: 0, whole: 0 },
    '12-59': { part: 0, whole: 0 },
    '60+': { part: 0, whole: 0 },
  };
  exact.set(faults, bySize);
  return bySize[nodes < 12 ? '< 12' : nodes < 60 ? '12-59' : '60+'];
}
