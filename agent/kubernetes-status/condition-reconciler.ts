import type { NetworkCondition } from '../discovery/kubernetes/network-condition.js';
import { nameHash } from '../model/name-hash.js';
import { Ability } from './ability.js';
import { Appearances } from './appearances.js';
import { ConditionChanges, flapWindowMs } from './condition-changes.js';
import { peersReached } from './peers-reached.js';
import { hasQuorum, placeOf, stepMs } from '../turns/quorum.js';
import type { OpenFinding, Situation } from './situation.js';
import { verdictOf, type Verdict } from './verdicts.js';
import { clearWrites, WriteBudget } from './write-budget.js';

/** One condition that is to be written now. */
export interface ConditionWrite {
  /** The node, as Kubernetes knows it. */
  readonly node: string;
  /** Tells it from a later node of the same name. */
  readonly uid: string;
  readonly condition: NetworkCondition & { readonly message: string; readonly sinceAt: number };
}

/** An agent that never held the finding waits this long before it says that all is well. */
const clearDelayMs = 60_000;
/** Agents see an end up to so much later than each other. Until then what one has cleared is not set again for what is about to end. */
const agreeMs = 5000;
/** Only the kind differs. Agents may see it differently for a while. */
export const reasonDelayMs = 30_000;
const reasonStepMs = 300_000;
/** The watch shows a write within this time, or it is written again. */
const settleMs = 10_000;
/** What was refused is tried again after this time. */
const refusedMs = 60_000;
/** A node that flaps is cleared later each time, so that it does not flap where agents disagree. */
const flapDelayMs = 60_000;

/** What is to be written onto a node, and since when this agent sees it missing. */
interface Want {
  readonly verdict: Verdict;
  /** Another text or time is the same want. */
  readonly key: string;
  readonly sinceMs: number;
  /** When this agent asks again for its place among thousands. */
  checkMs: number;
}

/** A want with the moment from which agents take turns, and how long each turn is. */
interface Turn {
  readonly name: string;
  readonly want: Want;
  readonly fromMs: number;
  readonly stepMs: number;
  /** What is worse is written first. */
  readonly rank: number;
}

/**
 * Compares what the conditions should say with what they say, and tells which one this agent writes
 * next. It keeps no queue: what was not written and is not wanted any more is never written.
 */
export class ConditionReconciler {
  readonly #budget: WriteBudget;
  readonly #clears = new WriteBudget(clearWrites);
  readonly #wants = new Map<string, Want>();
  readonly #held = new Set<string>();
  /** When this agent cleared nodes without having held a finding about them. */
  readonly #clearedUnheldMs = new Map<string, number>();
  /** What this agent wrote lately, the oldest first. */
  readonly #ownWrites = new Map<string, { readonly key: string; readonly atMs: number }>();
  readonly #refusedMs = new Map<string, number>();
  readonly #changes = new ConditionChanges();
  readonly #named = new Appearances();
  readonly #ability = new Ability();

  constructor(budget: WriteBudget) {
    this.#budget = budget;
  }

  /** The condition that this agent writes now; undefined if none is due. */
  next(situation: Situation): ConditionWrite | undefined {
    this.#noteChanges(situation);
    this.#noteNamed(situation);
    const ableMs = this.#ability.sinceMs(situation);
    this.#renewWants(situation);
    if (ableMs === undefined) return undefined;
    for (const turn of this.#admitted(ableMs, situation)) {
      const write = this.#ifDue(turn, situation);
      if (write) return write;
    }
    return undefined;
  }

  /** The API server has taken it. */
  noteWritten({ node, condition }: ConditionWrite, nowMs: number): void {
    for (const [settled, { atMs }] of this.#ownWrites) {
      if (nowMs - atMs < settleMs) break;
      this.#ownWrites.delete(settled);
    }
    this.#ownWrites.delete(node);
    this.#ownWrites.set(node, { key: keyOf(condition), atMs: nowMs });
    if (condition.status === 'True' && !this.#held.has(node))
      this.#clearedUnheldMs.set(node, nowMs);
    this.#budgetOf(condition).note(nowMs);
  }

  /** How many writes are remembered, because the watch may not have shown them yet. */
  get rememberedWrites(): number {
    return this.#ownWrites.size;
  }

  /** The API server does not take it: the node has gone, or is another one by now. */
  noteRefused({ node }: ConditionWrite, nowMs: number): void {
    this.#refusedMs.set(node, nowMs);
  }

  /** Counts what others wrote. */
  #noteChanges(situation: Situation): void {
    const { nowMs } = situation;
    for (const [name, has] of this.#changes.note(situation)) {
      // The first condition of a node has a budget of its own.
      if (has.reason === peersReached) continue;
      if (!this.#isUnderWay(name, keyOf(has), nowMs)) this.#budgetOf(has).note(nowMs);
    }
  }

  /** Whether this agent has just written that. */
  #isUnderWay(name: string, key: string, nowMs: number): boolean {
    const last = this.#ownWrites.get(name);
    return last !== undefined && nowMs - last.atMs < settleMs && last.key === key;
  }

  /** Remembers whose trouble this agent itself saw, until it was told that it is over. */
  #noteNamed({ findings, listed, nowMs, wallMs }: Situation): void {
    const named = namedBy(findings);
    this.#named.note(named, wallMs);
    for (const name of named) {
      this.#held.add(name);
      this.#clearedUnheldMs.delete(name);
    }
    for (const name of this.#held) {
      const has = listed?.nodes.get(name)?.networkCondition;
      if (!named.has(name) && (!has || has.status === 'True')) this.#held.delete(name);
    }
    for (const [name, clearedMs] of this.#clearedUnheldMs) {
      const isOld = nowMs - clearedMs >= flapWindowMs;
      if (isOld || listed?.nodes.has(name) === false) this.#clearedUnheldMs.delete(name);
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
      const isKnown = known?.key === key;
      const { sinceMs, checkMs } = isKnown ? known : { sinceMs: nowMs, checkMs: -Infinity };
      this.#wants.set(name, { verdict, key, sinceMs, checkMs });
    }
  }

  /**
   * The wants for which agents take turns now, as many as the cluster's budget has room for. All
   * agents sort them alike, so that they choose the same ones.
   */
  #admitted(ableMs: number, situation: Situation): readonly Turn[] {
    const { nowMs } = situation;
    const turns = [...this.#wants].flatMap(
      ([name, want]) => this.#turnOf(name, want, ableMs, situation) ?? [],
    );
    const due = turns
      .filter(({ fromMs }) => nowMs >= fromMs)
      .map((turn) => ({ ...turn, hash: nameHash(turn.name) }))
      .sort((a, b) => a.rank - b.rank || a.hash - b.hash);
    const isClear = ({ want }: Turn): boolean => want.verdict.status === 'True';
    return [
      ...due.filter((turn) => !isClear(turn)).slice(0, this.#budget.left(nowMs)),
      ...due.filter(isClear).slice(0, this.#clears.left(nowMs)),
    ];
  }

  #budgetOf({ status }: Pick<NetworkCondition, 'status'>): WriteBudget {
    return status === 'True' ? this.#clears : this.#budget;
  }

  /** When agents begin to take turns for a want; undefined while this one cannot write it. */
  #turnOf(
    name: string,
    want: Want,
    ableMs: number,
    { nowMs, wallMs, listed }: Situation,
  ): Turn | undefined {
    const { verdict, sinceMs } = want;
    const isRefused = nowMs - (this.#refusedMs.get(name) ?? -Infinity) < refusedMs;
    if (isRefused || this.#isUnderWay(name, keyOf(verdict), nowMs)) return undefined;
    // The time that nobody could write in is no time in which the others wrote nothing.
    const since = Math.max(sinceMs, ableMs);
    const has = listed?.nodes.get(name)?.networkCondition;
    if (has?.status === verdict.status) {
      return { name, want, fromMs: since + reasonDelayMs, stepMs: reasonStepMs, rank: 2 };
    }
    if (verdict.finding !== undefined) {
      // The clocks of two hosts differ, and a time of the future says nothing.
      const isJustCleared =
        has?.status === 'True' && Math.abs(wallMs - (has.sinceAt ?? 0)) < agreeMs;
      return { name, want, fromMs: since + (isJustCleared ? agreeMs : 0), stepMs, rank: 0 };
    }
    const isHeld = this.#held.has(name);
    // Whoever still holds the finding has overruled it, or will. It may have gone since.
    if (verdict.status === 'True' && this.#clearedUnheldMs.has(name)) return undefined;
    const falls = this.#changes.falls(name, nowMs);
    const flapMs = falls > 1 ? Math.min(flapDelayMs * 2 ** (falls - 2), flapWindowMs) : 0;
    const fromMs = since + flapMs + (isHeld ? 0 : clearDelayMs);
    return { name, want, fromMs, stepMs, rank: 1 };
  }

  #ifDue(turn: Turn, situation: Situation): ConditionWrite | undefined {
    const { name, want, fromMs } = turn;
    const { verdict } = want;
    const { nowMs, wallMs, listed } = situation;
    const node = listed?.nodes.get(name);
    if (!node || nowMs < want.checkMs) return undefined;
    const foundAt = verdict.finding === undefined ? wallMs : this.#sinceAt(name, verdict, node);
    if (!hasQuorum(situation, verdict.finding === undefined ? Infinity : wallMs - foundAt)) {
      return undefined;
    }
    // The agent of the node itself leaves it to the others, also when all is well again.
    const away = new Set([...awayFrom(situation), situation.nodes.get(name)?.name ?? '']);
    const place = placeOf(verdict.finding ?? `clear:${name}`, situation, away);
    want.checkMs = Math.min(fromMs + place * turn.stepMs, nowMs + stepMs);
    if (nowMs < fromMs + place * turn.stepMs) return undefined;
    // As Kubernetes has it, the time changes with the status alone.
    const has = node.networkCondition;
    const saidAt = has?.sinceAt ?? 0;
    // A time in the future was written by a host whose clock is ahead.
    const hasAt = saidAt > wallMs ? 0 : saidAt;
    const isSame = has?.status === verdict.status && hasAt > 0;
    const sinceAt = isSame ? hasAt : Math.max(hasAt, foundAt);
    const { status, reason, message } = verdict;
    return { node: name, uid: node.uid, condition: { status, reason, message, sinceAt } };
  }

  /**
   * Since when a finding names a node. One of many nodes may have joined later, and one that comes
   * and goes tells of its first time: then it is when this agent saw it. No trouble is older than
   * the node itself.
   */
  #sinceAt(
    name: string,
    { sinceAt, isOfMany }: Verdict,
    { createdAt }: { readonly createdAt: number },
  ): number {
    const isSeen = isOfMany || this.#named.wasGoneSince(name, sinceAt);
    const cameAt = isSeen ? this.#named.cameAt(name) : undefined;
    return Math.max(cameAt ?? sinceAt, createdAt);
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
