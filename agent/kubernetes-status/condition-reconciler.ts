import type { NetworkCondition } from '../discovery/kubernetes/network-condition.js';
import { nameHash } from '../model/name-hash.js';
import { Ability } from './ability.js';
import { hasQuorum, placeOf } from './quorum.js';
import type { OpenFinding, Situation } from './situation.js';
import { verdictOf, type Verdict } from './verdicts.js';
import type { WriteBudget } from './write-budget.js';

/** One condition that is to be written now. */
export interface ConditionWrite {
  /** The node, as Kubernetes knows it. */
  readonly node: string;
  /** Tells it from a later node of the same name. */
  readonly uid: string;
  readonly condition: NetworkCondition & { readonly message: string; readonly sinceAt: number };
}

/** The next agent writes this much later, where nothing was written. */
export const stepMs = 10_000;
/** An agent that never held the finding waits this long before it says that all is well. */
const clearPatienceMs = 60_000;
/** Only the kind differs. Agents may see it differently for a while. */
const reasonPatienceMs = 30_000;
const reasonStepMs = 300_000;
/** The watch shows a write within this time, or it is written again. */
const settleMs = 10_000;
/** What was refused is tried again after this time. */
const refusedMs = 60_000;
/**
 * A node that turned False more than once in this time is cleared later each time, so that it does
 * not flap where agents disagree.
 */
const flapWindowMs = 1_800_000;
const flapDelayMs = 60_000;

/** What is to be written onto a node, and since when this agent sees it missing. */
interface Want {
  readonly verdict: Verdict;
  /** Another text or time is the same want. */
  readonly key: string;
  readonly sinceMs: number;
}

/**
 * Compares what the conditions should say with what they say, and tells which one this agent writes
 * next. It keeps no queue: what was not written and is not wanted any more is never written.
 */
export class ConditionReconciler {
  readonly #budget: WriteBudget;
  readonly #wants = new Map<string, Want>();
  readonly #held = new Set<string>();
  readonly #ownWrites = new Map<string, { readonly key: string; readonly atMs: number }>();
  /** When each node turned False, whoever wrote that. */
  readonly #falls = new Map<string, readonly number[]>();
  readonly #refusedMs = new Map<string, number>();
  #seen: ReadonlyMap<string, string> | undefined;
  #wasCurrent = false;
  readonly #ability = new Ability();

  constructor(budget: WriteBudget) {
    this.#budget = budget;
  }

  /** The condition that this agent writes now; undefined if none is due. */
  next(situation: Situation): ConditionWrite | undefined {
    this.#noteChanges(situation);
    this.#noteHeld(situation);
    const ableMs = this.#ability.sinceMs(situation);
    this.#renewWants(situation);
    if (ableMs === undefined) return undefined;
    const left = this.#budget.left(situation.nowMs);
    for (const [name, want] of this.#admitted(left)) {
      const write = this.#ifDue(name, want, ableMs, situation);
      if (write) return write;
    }
    return undefined;
  }

  /** The API server has taken it. */
  noteWritten({ node, condition }: ConditionWrite, nowMs: number): void {
    this.#ownWrites.set(node, { key: keyOf(condition), atMs: nowMs });
    this.#budget.note(nowMs);
  }

  /** The API server does not take it: the node has gone, or is another one by now. */
  noteRefused({ node }: ConditionWrite, nowMs: number): void {
    this.#refusedMs.set(node, nowMs);
  }

  /** Counts what others wrote, as the watch shows it. */
  #noteChanges({ nowMs, listed }: Situation): void {
    if (listed === undefined) return;
    const seen = new Map<string, string>();
    for (const [name, { networkCondition: has }] of listed.nodes) {
      if (has) seen.set(name, textOf(has));
    }
    // After an outage it is not known when what is new was written.
    const isKnown = this.#seen !== undefined && this.#wasCurrent && listed.isCurrent;
    if (isKnown) {
      for (const [name, text] of seen) {
        const before = this.#seen?.get(name);
        if (before === text) continue;
        // Another time says that it was something else in between.
        if (text.startsWith('False')) this.#falls.set(name, [...this.#fallsOf(name, nowMs), nowMs]);
        if (!this.#isOwn(name, text, nowMs)) this.#budget.note(nowMs);
      }
    }
    this.#wasCurrent = listed.isCurrent;
    this.#seen = seen;
  }

  #isOwn(name: string, text: string, nowMs: number): boolean {
    const last = this.#ownWrites.get(name);
    return last !== undefined && nowMs - last.atMs < settleMs && text.startsWith(`${last.key} `);
  }

  /** Remembers whose trouble this agent itself saw, until it was told that it is over. */
  #noteHeld({ findings, listed }: Situation): void {
    const named = namedBy(findings);
    for (const name of named) this.#held.add(name);
    for (const name of this.#held) {
      const has = listed?.nodes.get(name)?.networkCondition;
      if (!named.has(name) && (!has || has.status === 'True')) this.#held.delete(name);
    }
  }

  #renewWants(situation: Situation): void {
    const { nowMs, listed, localName, nodes } = situation;
    const names = namedBy(situation.findings);
    for (const [name, { networkCondition: has }] of listed?.nodes ?? []) {
      // One that says that all is well stays until a finding names the node.
      if (has && has.status !== 'True') names.add(name);
    }
    for (const name of this.#wants.keys()) if (!names.has(name)) this.#wants.delete(name);
    for (const name of this.#refusedMs.keys()) if (!names.has(name)) this.#refusedMs.delete(name);
    for (const name of this.#falls.keys()) {
      if (this.#fallsOf(name, nowMs).length === 0) this.#falls.delete(name);
    }
    for (const name of names) {
      const has = listed?.nodes.get(name)?.networkCondition;
      // Others see better what is wrong with this agent's own node.
      const isOwn = nodes.get(name)?.name === localName;
      const verdict =
        !isOwn && listed?.nodes.has(name) === true ? verdictOf(name, situation) : undefined;
      const isWanted = verdict && !says(has, verdict) && (has || !verdict.onlyIfPresent);
      if (!isWanted) {
        this.#wants.delete(name);
        continue;
      }
      // What it says now is a part of the key: when another agent wrote meanwhile, the wait begins
      // anew.
      const key = `${has ? textOf(has) : ''} -> ${keyOf(verdict)}`;
      const known = this.#wants.get(name);
      const sinceMs = known?.key === key ? known.sinceMs : nowMs;
      this.#wants.set(name, { verdict, key, sinceMs });
    }
  }

  /** How long this agent waits for its turn. It looks at all agents, so only what is admitted asks. */
  #waitMs(
    name: string,
    verdict: Verdict,
    has: NetworkCondition | undefined,
    situation: Situation,
  ): number {
    // The agent of the node itself leaves it to the others, also when all is well again.
    const away = new Set([...awayFrom(situation), situation.nodes.get(name)?.name ?? '']);
    const place = placeOf(verdict.finding ?? `clear:${name}`, situation, away);
    if (has?.status === verdict.status) return reasonPatienceMs + place * reasonStepMs;
    const waitMs = place * stepMs;
    if (verdict.finding !== undefined) return waitMs;
    const falls = this.#fallsOf(name, situation.nowMs).length;
    const flapMs = falls > 1 ? Math.min(flapDelayMs * 2 ** (falls - 2), flapWindowMs) : 0;
    return waitMs + flapMs + (this.#held.has(name) ? 0 : clearPatienceMs);
  }

  #fallsOf(name: string, nowMs: number): readonly number[] {
    return (this.#falls.get(name) ?? []).filter((atMs) => nowMs - atMs < flapWindowMs);
  }

  /**
   * The wants that the cluster's budget has room for. All agents sort them alike, so that they
   * choose the same ones.
   */
  #admitted(left: number): [string, Want][] {
    return [...this.#wants].sort(([a], [b]) => nameHash(a) - nameHash(b)).slice(0, left);
  }

  #ifDue(
    name: string,
    { verdict, sinceMs }: Want,
    ableMs: number,
    situation: Situation,
  ): ConditionWrite | undefined {
    const { nowMs, wallMs, listed } = situation;
    const node = listed?.nodes.get(name);
    const last = this.#ownWrites.get(name);
    const isUnderWay =
      last !== undefined && last.key === keyOf(verdict) && nowMs - last.atMs < settleMs;
    const isRefused = nowMs - (this.#refusedMs.get(name) ?? -Infinity) < refusedMs;
    if (!node || isUnderWay || isRefused) return undefined;
    const has = node.networkCondition;
    // The time that nobody could write in is no time in which the others wrote nothing.
    const fromMs = Math.max(sinceMs, ableMs);
    if (nowMs < fromMs + this.#waitMs(name, verdict, has, situation)) return undefined;
    const troubleMs = verdict.finding === undefined ? Infinity : wallMs - verdict.sinceAt;
    if (!hasQuorum(situation, troubleMs)) return undefined;
    // As Kubernetes has it, the time changes with the status alone.
    const hasAt = has?.sinceAt ?? 0;
    const isSame = has?.status === verdict.status && hasAt > 0;
    const sinceAt = isSame ? hasAt : Math.max(hasAt, verdict.sinceAt);
    const { status, reason, message } = verdict;
    return { node: name, uid: node.uid, condition: { status, reason, message, sinceAt } };
  }
}

/** The nodes whose own agents leave the writing to others: findings name them. */
export function awayFrom({ findings, nodes }: Situation): ReadonlySet<string> {
  return new Set([...namedBy(findings)].flatMap((name) => nodes.get(name)?.name ?? []));
}

function namedBy(findings: readonly OpenFinding[]): Set<string> {
  return new Set(findings.flatMap(({ nodes }) => [...nodes]));
}

function says(has: NetworkCondition | undefined, { status, sameReasons }: Verdict): boolean {
  return has?.status === status && sameReasons.includes(has.reason);
}

function keyOf({ status, reason }: Pick<NetworkCondition, 'status' | 'reason'>): string {
  return `${status} ${reason}`;
}

function textOf(has: NetworkCondition): string {
  return `${keyOf(has)} ${has.sinceAt ?? ''}`;
}
