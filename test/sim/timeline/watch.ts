import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { getOrInsert } from '../../../agent/diagnosis/nouns/get-or-insert.js';
import { labelOf, type NodeLabels } from '../../../agent/model/node-labels.js';
import { equalReason } from '../diagnosis/equal-causes.js';
import type { Fault } from '../../faults/fault.js';
import { isTargetFault } from '../../faults/target-kinds.js';
import { compare, isAboutPaths, isExact } from '../diagnosis/judge.js';
import { equalTargetReason } from './equal-targets.js';
import { sightOf, type Sight } from './agent-sight.js';
import { HiddenFaults } from './hidden-faults.js';
import { overMs, type PlannedFault, type RoundPlan } from './round-plan.js';
import type { WatchedCluster } from './watched-cluster.js';

/**
 * In what way a finding is wrong: its cause is none of the faults, or only its direction is, or it is about what was
 * repaired some time ago.
 */
export type WrongIn = 'cause' | 'direction' | 'repaired';

/**
 * A finding that an agent said from one time to another, in milliseconds from the start. Under
 * another kind or with another direction it counts as another one.
 */
export interface Said {
  /** The kind, the id and the direction. */
  readonly name: string;
  /** The text when it was said first. */
  readonly text: string;
  readonly fromMs: number;
  toMs: number;
  /** For how long of that time it named no fault, and in what way it was wrong then. */
  readonly wrongMs: Record<WrongIn, number>;
}

/** What one agent said in a round. Times are milliseconds, Infinity for never. */
export interface AgentRecord {
  readonly name: string;
  readonly said: readonly Said[];
  /**
   * From the begin of the last fault to the first time at which the findings were exactly the
   * faults; undefined if the agent could not know.
   */
  readonly exactAfterMs: number | undefined;
  /** Whether they were so still when the first fault ended; true if the agent could not know. */
  readonly isExactAtEnd: boolean;
  /** Why it could not tell a fault of a target from what it said; it is counted apart then. */
  readonly undecidable: string | undefined;
  /** One of the faults is told by a single row. */
  readonly hasLoneWitness: boolean;
  /** From the end of the last fault to no finding; undefined if the agent could not know. */
  readonly closedAfterMs: number | undefined;
  /** How often a fault was named again after it had not been. */
  readonly flaps: number;
  /** For each fault, from its begin until it was named; undefined if the agent could not know. */
  readonly namedAfterMs: readonly (number | undefined)[];
  /** For each of these, the id of the finding that named it first; undefined if none did. */
  readonly namedBy: readonly (string | undefined)[];
  /** For each of these, from its end until no finding named it any more. */
  readonly unnamedAfterMs: readonly (number | undefined)[];
}

/** For how long a finding was wrong in any way. */
export function wrongMsOf({ wrongMs: { cause, direction, repaired } }: Said): number {
  return cause + direction + repaired;
}

/** What an agent cannot know yet counts neither for nor against it. Times are milliseconds. */
export interface Leniency {
  /**
   * Until when a finding may still name a fault that ended. Then it may also have another kind, because its name
   * follows what is left. How long it stays is a figure of its own.
   */
  readonly mayNameUntilMs: (planned: PlannedFault) => number;
  /** An agent that has just been started cannot know yet. */
  readonly newForMs: number;
  /** An agent that was cut off needs this long to learn what is so now. */
  readonly backForMs: number;
}

/** Among more missed faults nobody looks for those that look like what was found. */
const mostMissed = 4;

/** Of up to 60 nodes: the HTTP interval, two answers and the way of the rows. */
const usualLeniency: Leniency = {
  mayNameUntilMs: (planned) => overMs(planned) + 8000,
  newForMs: 12_000,
  backForMs: 8000,
};

/** Follows what one agent says in a round. Call `look` often. */
export class AgentWatch {
  readonly #plan: RoundPlan;
  readonly #cluster: WatchedCluster;
  readonly #node: number;
  readonly #leniency: Leniency;
  readonly #said: Said[] = [];
  #open = new Map<string, Said>();
  /** When the finding of an id opened, whatever its kind was since. */
  readonly #openedMs = new Map<string, number>();
  /** By the faults that last and the agents that run. */
  readonly #sights = new Map<string, Sight>();
  readonly #equal = new WeakMap<Sight, Map<string, string>>();
  readonly #naming = new Map<Fault, 'yet' | 'named' | 'lost'>();
  readonly #namedAfterMs = new Map<Fault, number>();
  readonly #namedBy = new Map<Fault, string>();
  /** When a finding named a fault last that was over. */
  readonly #namedLastMs = new Map<Fault, number>();
  readonly #lastBeginMs: number;
  readonly #firstEndMs: number;
  readonly #overMs: number;
  #couldKnow: boolean | undefined;
  #visible: readonly Fault[] = [];
  #hasLoneWitness = false;
  #exactAtMs = Infinity;
  #isExactAtEnd = false;
  #undecidable: string | undefined;
  #closedAtMs: number | undefined;
  #flaps = 0;
  #lastMs = 0;
  /** When it could not know last. */
  #cutOffMs = -Infinity;
  readonly #hidden: HiddenFaults;

  constructor(
    plan: RoundPlan,
    cluster: WatchedCluster,
    node: number,
    leniency: Leniency = usualLeniency,
  ) {
    this.#plan = plan;
    this.#leniency = leniency;
    this.#cluster = cluster;
    this.#node = node;
    const { faults, layout } = plan;
    const nodes = cluster.standsForAll ?? [...layout.names.keys()];
    this.#hidden = new HiddenFaults(faults, node, nodes);
    this.#lastBeginMs = Math.max(...faults.map(({ beginMs }) => beginMs));
    this.#firstEndMs = Math.min(...faults.map(({ endMs }) => endMs));
    this.#overMs = Math.max(...faults.map((fault) => overMs(fault)));
  }

  /** Takes what the agent says now. */
  look(): void {
    const { faults } = this.#plan;
    const nowMs = this.#cluster.nowMs();
    const sinceMs = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    const agent = this.#cluster.agents[this.#node];
    const findings = (agent?.findings ?? []).filter(isAboutPaths);
    const lasting = faults.filter((one) => one.beginMs <= nowMs && nowMs < overMs(one));
    const hidden = this.#hidden.at(nowMs);
    const sight = this.#sightOf([...lasting, ...hidden]);
    const isNew = agent === undefined || agent.startedMs > nowMs - this.#leniency.newForMs;
    this.#noteSaid(findings, nowMs);
    this.#noteClosing(findings, sight, nowMs);
    if (!sight.canKnow || agent === undefined) {
      this.#naming.clear();
      // A new process has no past in which it could not know.
      if (agent !== undefined) this.#cutOffMs = nowMs;
      if (this.#isWindow(nowMs)) this.#couldKnow = false;
      return;
    }
    if (nowMs < this.#cutOffMs + this.#leniency.backForMs) return;
    const compared = compare(findings, {
      ...sight.seen,
      visible: sight.visible,
      view: sight.lenientView,
    });
    const { missed, extra } = compared;
    const equal = extra.length > 0 ? this.#equalReason(sight, missed, extra) : undefined;
    this.#addWrong(findings, missed, sight, sinceMs);
    if (isNew && nowMs > this.#leniency.newForMs) {
      if (this.#isWindow(nowMs)) this.#couldKnow = false;
      return;
    }
    const named = sight.visible.filter((fault) => !missed.includes(fault));
    this.#noteNaming(lasting, named, nowMs);
    for (const fault of named) {
      const by = findings.find((finding) => fault.isNamedBy(finding, sight.lenientView));
      if (by && !this.#namedBy.has(fault)) this.#namedBy.set(fault, by.id);
    }
    if (this.#isWindow(nowMs)) {
      this.#couldKnow ??= sight.visible.length > 0;
      this.#visible = sight.visible;
      this.#hasLoneWitness = sight.hasLoneWitness;
      this.#isExactAtEnd = equal !== undefined || isExact(compared);
      if (extra.some(isOfTarget)) this.#undecidable ??= equal;
      else if (this.#isExactAtEnd) this.#exactAtMs = Math.min(this.#exactAtMs, nowMs);
    }
    if (nowMs >= this.#overMs) {
      this.#closedAtMs = findings.length === 0 ? (this.#closedAtMs ?? nowMs) : undefined;
    }
  }

  get record(): AgentRecord {
    const couldKnow = this.#couldKnow === true;
    const undecidable = couldKnow && this.#exactAtMs === Infinity ? this.#undecidable : undefined;
    return {
      name: this.#plan.layout.names[this.#node] ?? '',
      said: this.#said,
      exactAfterMs:
        couldKnow && undecidable === undefined ? this.#exactAtMs - this.#lastBeginMs : undefined,
      isExactAtEnd: !couldKnow || this.#isExactAtEnd,
      undecidable,
      hasLoneWitness: this.#hasLoneWitness,
      closedAfterMs: couldKnow ? (this.#closedAtMs ?? Infinity) - this.#overMs : undefined,
      flaps: this.#flaps,
      namedAfterMs: this.#plan.faults.map(({ fault }) =>
        couldKnow && this.#visible.includes(fault)
          ? (this.#namedAfterMs.get(fault) ?? Infinity)
          : undefined,
      ),
      namedBy: this.#plan.faults.map(({ fault }) => this.#namedBy.get(fault)),
      unnamedAfterMs: this.#plan.faults.map((planned) => {
        const { fault } = planned;
        if (!couldKnow || !this.#namedAfterMs.has(fault)) return undefined;
        const endedMs = overMs(planned);
        return (this.#namedLastMs.get(fault) ?? endedMs) - endedMs;
      }),
    };
  }

  /** Whether all faults last now. */
  #isWindow(nowMs: number): boolean {
    return nowMs >= this.#lastBeginMs && nowMs < this.#firstEndMs;
  }

  #sightOf(lasting: readonly PlannedFault[]): Sight {
    const running = this.#cluster.agents.map((agent) => (agent ? 1 : 0)).join('');
    const key = `${lasting.map(({ fault }) => this.#numberOf(fault)).join()} ${running}`;
    // Ages are as when it was made: they are only compared with each other.
    return getOrInsert(this.#sights, key, () =>
      sightOf(this.#plan, this.#cluster, this.#node, lasting),
    );
  }

  #numberOf(fault: Fault): number {
    return this.#plan.faults.findIndex((one) => one.fault === fault);
  }

  /**
   * Adds to the findings that name no fault of now, and none that ended a moment ago or of which nobody can know that it did, nor
   * look like a missed one.
   */
  #addWrong(
    findings: readonly Finding[],
    missed: readonly Fault[],
    sight: Sight,
    sinceMs: number,
  ): void {
    const nowMs = this.#cluster.nowMs();
    const faults = this.#plan.faults.filter(
      (one) =>
        one.beginMs <= nowMs &&
        nowMs < this.#leniency.mayNameUntilMs(one) + this.#hidden.hiddenMs(one),
    );
    const repaired = this.#plan.faults.filter((one) => overMs(one) <= nowMs);
    const wrong = findings.flatMap((finding) => {
      const isRepaired = repaired.some(({ fault }) => isWithin(finding, fault, this.#plan));
      const wrongIn = wrongWay(finding, faults, sight, isRepaired);
      return wrongIn === undefined || this.#isClosing(finding, faults, nowMs)
        ? []
        : [{ finding, wrongIn }];
    });
    // One of the missed faults may not be named yet while another one looks like what was found.
    const told = wrong.map(({ finding }) => finding);
    // Or what was found is right beside a fault that may last still, as far as the agent knows.
    const isLike = (some: readonly Fault[]) =>
      [sight, this.#sightOf(faults)].some(
        (one) => this.#equalReason(one, some, told) !== undefined,
      );
    if (told.length === 0 || (missed.length <= mostMissed && subsetsOf(missed).some(isLike)))
      return;
    for (const { finding, wrongIn } of wrong) {
      const said = this.#open.get(nameOf(finding));
      if (!said) continue;
      // It appeared some time since the last look.
      said.wrongMs[wrongIn] += said.fromMs === nowMs ? sinceMs / 2 : sinceMs;
    }
  }

  /** Whether it opened before the repair of a fault that affected what it is about. */
  #isClosing(finding: Finding, faults: readonly PlannedFault[], nowMs: number): boolean {
    const openedMs = this.#openedMs.get(finding.id) ?? nowMs;
    return faults.some(
      ({ fault, endMs }) =>
        endMs <= nowMs && openedMs < endMs && isWithin(finding, fault, this.#plan),
    );
  }

  /** Why the findings look like those faults, seen from here; undefined if they do not. */
  #equalReason(
    sight: Sight,
    missed: readonly Fault[],
    extra: readonly Finding[],
  ): string | undefined {
    const reasons = getOrInsert(this.#equal, sight, () => new Map<string, string>());
    const key = [...missed.map((fault) => this.#numberOf(fault)), ...extra.map(nameOf)].join();
    const reason = getOrInsert(reasons, key, () => this.#reasonOf(sight, missed, extra) ?? '');
    return reason === '' ? undefined : reason;
  }

  #reasonOf({ seen, lenientView }: Sight, missed: readonly Fault[], extra: readonly Finding[]) {
    const { targetHosts = new Map<string, readonly number[]>() } = this.#plan;
    return missed.some(isTargetFault) || extra.some(isOfTarget)
      ? equalTargetReason(seen, targetHosts, missed, extra)
      : equalReason({ ...seen, view: lenientView }, missed, extra);
  }

  #noteSaid(findings: readonly Finding[], nowMs: number): void {
    const open = new Map<string, Said>();
    for (const finding of findings) {
      const known = this.#open.get(nameOf(finding));
      const said = known ?? newSaid(finding, nowMs);
      said.toMs = nowMs;
      if (!known) this.#said.push(said);
      open.set(said.name, said);
      if (!this.#openedMs.has(finding.id)) this.#openedMs.set(finding.id, nowMs);
    }
    this.#open = open;
    const ids = new Set(findings.map(({ id }) => id));
    for (const id of this.#openedMs.keys()) if (!ids.has(id)) this.#openedMs.delete(id);
  }

  #noteClosing(findings: readonly Finding[], { lenientView }: Sight, nowMs: number): void {
    for (const planned of this.#plan.faults) {
      const { fault } = planned;
      if (nowMs < overMs(planned)) continue;
      if (findings.some((finding) => fault.isNamedBy(finding, lenientView))) {
        this.#namedLastMs.set(fault, nowMs);
      }
    }
  }

  #noteNaming(lasting: readonly PlannedFault[], named: readonly Fault[], nowMs: number): void {
    for (const { fault, beginMs } of lasting) {
      const before = this.#naming.get(fault) ?? 'yet';
      if (named.includes(fault)) {
        if (before === 'lost') this.#flaps++;
        this.#naming.set(fault, 'named');
        if (!this.#namedAfterMs.has(fault)) this.#namedAfterMs.set(fault, nowMs - beginMs);
      } else if (before === 'named') this.#naming.set(fault, 'lost');
    }
  }
}

function isOfTarget({ target }: Finding): boolean {
  return target !== undefined;
}

function newSaid(finding: Finding, nowMs: number): Said {
  return {
    name: nameOf(finding),
    text: finding.text,
    fromMs: nowMs,
    toMs: nowMs,
    wrongMs: { cause: 0, direction: 0, repaired: 0 },
  };
}

function nameOf({ id, kind, direction }: Finding): string {
  return [kind, id, ...(direction ? [direction] : [])].join(' ');
}

/** In what way a finding is wrong; undefined if it names one of the faults. */
function wrongWay(
  finding: Finding,
  faults: readonly PlannedFault[],
  { lenientView }: Sight,
  isRepaired: boolean,
): WrongIn | undefined {
  const names = (one: Finding) => faults.some(({ fault }) => fault.isNamedBy(one, lenientView));
  const { count, examples = [], ...alone } = finding;
  if (count !== undefined) {
    // It stands for several nodes: as many of them as are so at most.
    const isEach = examples.every((node) => names({ ...alone, node }));
    const most = faults.filter(({ fault: { nodes } }) => nodes.length === 1).length;
    return isEach && count <= most ? undefined : isRepaired ? 'repaired' : 'cause';
  }
  if (names(finding)) return undefined;
  const { direction, ...rest } = finding;
  if (direction !== undefined && names(rest)) return 'direction';
  return isRepaired ? 'repaired' : 'cause';
}

/** Whether the subject of a finding, or each that it gives as an example, is a part of what a fault affects. */
function isWithin(
  { node, pair, zones, group, groups, examples = [] }: Finding,
  { nodes }: Fault,
  { layout, labels }: Pick<RoundPlan, 'layout' | 'labels'>,
): boolean {
  if (nodes.length === 0) return true;
  const { names, zoneOf, zones: zoneNames } = layout;
  const named = group ? [group] : groups;
  if (named) {
    const zoned = names.map((_, at) => ({
      labels: labels?.of[at],
      zone: zoneNames[zoneOf[at] ?? 0],
    }));
    const members = [...names.keys()].filter((at) =>
      named.some((one) => isOfGroup(zoned[at] ?? {}, one)),
    );
    return members.every((at) => nodes.includes(at));
  }
  const affected = new Set(
    nodes.flatMap((each) => [names[each] ?? '', zoneNames[zoneOf[each] ?? 0] ?? '']),
  );
  const alone = node === undefined ? examples : [node];
  const subject = [...alone, ...(pair ?? []), ...(zones ?? [])];
  return subject.length > 0 && subject.every((name) => affected.has(name));
}

function isOfGroup(
  {
    labels,
    zone,
  }: { readonly labels?: NodeLabels | undefined; readonly zone?: string | undefined },
  { label, value, and }: NonNullable<Finding['group']>,
): boolean {
  const has = (one: string, wanted: string) =>
    labelOf({ ...(labels && { labels }), ...(zone !== undefined && { zone }) }, one) === wanted;
  return has(label, value) && (!and || has(and.label, and.value));
}

/** All choices of some of them: a round has few faults. */
function subsetsOf<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>(
    (subsets, item) => [...subsets, ...subsets.map((subset) => [...subset, item])],
    [[]],
  );
}
