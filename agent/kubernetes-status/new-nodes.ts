import { nameHash } from '../model/name-hash.js';
import { Ability } from './ability.js';
import { awayFrom, type ConditionWrite } from './condition-reconciler.js';
import { peersReached } from './peers-reached.js';
import { placeOf, stepMs } from '../turns/quorum.js';
import type { Situation } from './situation.js';
import { newNodeWrites, WriteBudget } from './write-budget.js';

/** A node is to be reached for so long. */
const reachedForMs = 10_000;
/** Nodes that come together are spread over this much time each, so that the budget is seldom used up. */
const spreadMs = 600;
const refusedMs = 60_000;
/** The watch shows a write within this time. */
const settleMs = 10_000;
/** To count the agents that go before this one takes a while with thousands. */
const mostChecked = 10;

const message =
  'at least half of the agents reach this node on both networks, and its agent half of the nodes';

interface Candidate {
  /** Since when it is new and reached, or since too few agents said that they reach it. */
  sinceMs: number;
  offsetMs: number;
  /** When this agent checks again whether its turn has come. */
  checkMs: number;
}

/**
 * Tells which node that never had the condition gets it next from this agent: one of which nothing is
 * found and that this agent reaches. Whether half of the others reach it is asked when its turn has come.
 */
export class NewNodes {
  readonly #budget = new WriteBudget(newNodeWrites);
  readonly #ability = new Ability();
  readonly #candidates = new Map<string, Candidate>();
  /** The nodes that got it, as the watch shows them. */
  #written: ReadonlySet<string> | undefined;
  /** Those that got it from this agent, where the watch does not show it yet. */
  readonly #ownWrites = new Set<string>();

  /** The condition that this agent writes now; undefined if none is due. */
  next(situation: Situation): ConditionWrite | undefined {
    const { nowMs, wallMs, listed } = situation;
    this.#noteWrites(situation);
    const ableMs = this.#ability.sinceMs(situation);
    this.#renewCandidates(situation);
    if (ableMs === undefined || this.#budget.left(nowMs) === 0) return undefined;
    const due = [...this.#candidates]
      .filter(([, { checkMs }]) => nowMs >= checkMs)
      .sort(([, a], [, b]) => a.checkMs - b.checkMs)
      .slice(0, mostChecked);
    for (const [name, candidate] of due) {
      const node = listed?.nodes.get(name);
      if (!node || !isTurn(name, candidate, ableMs, situation)) continue;
      const condition = { status: 'True', reason: peersReached, message, sinceAt: wallMs } as const;
      return { node: name, uid: node.uid, condition };
    }
    return undefined;
  }

  /** The API server has taken it. */
  noteWritten({ node }: ConditionWrite, nowMs: number): void {
    this.#budget.note(nowMs);
    this.#ownWrites.add(node);
    this.#wait(node, nowMs + settleMs);
  }

  /** Too few agents say that they reach it: all agents take turns anew. */
  notePassedOver(node: string, nowMs: number): void {
    const candidate = this.#candidates.get(node);
    if (candidate) Object.assign(candidate, { sinceMs: nowMs, offsetMs: 0 });
    this.#wait(node, nowMs + reachedForMs);
  }

  /** The API server does not take it. */
  noteRefused({ node }: ConditionWrite, nowMs: number): void {
    this.#wait(node, nowMs + refusedMs);
  }

  #wait(node: string, checkMs: number): void {
    const candidate = this.#candidates.get(node);
    if (candidate) candidate.checkMs = checkMs;
  }

  /** Counts what others wrote. */
  #noteWrites({ nowMs, listed }: Situation): void {
    if (!listed) return;
    const before = this.#written;
    const written = new Set<string>();
    for (const [name, { networkCondition: has }] of listed.nodes) {
      if (has?.reason !== peersReached) continue;
      written.add(name);
      if (before?.has(name) !== false) continue;
      if (!this.#ownWrites.delete(name)) this.#budget.note(nowMs);
    }
    this.#written = written;
  }

  #renewCandidates(situation: Situation): void {
    const { nowMs, listed, localName, nodes, findings, reaches } = situation;
    const named = new Set(findings.flatMap((finding) => [...finding.nodes]));
    const found = new Set<string>();
    for (const [name, { networkCondition }] of listed?.nodes ?? []) {
      const node = nodes.get(name);
      if (networkCondition || named.has(name) || node?.phase !== 'active') continue;
      // Others see better how its own node is reached.
      if (node.name !== localName && reaches(node.name)) found.add(name);
    }
    for (const name of this.#candidates.keys()) {
      if (!found.has(name)) this.#candidates.delete(name);
    }
    for (const name of found) {
      if (this.#candidates.has(name)) continue;
      const offsetMs = (nameHash(name) / 2 ** 32) * spreadMs * found.size;
      const checkMs = nowMs + reachedForMs + offsetMs;
      this.#candidates.set(name, { sinceMs: nowMs, offsetMs, checkMs });
    }
  }
}

function isTurn(name: string, candidate: Candidate, ableMs: number, situation: Situation): boolean {
  const { nowMs, nodes } = situation;
  const fromMs = Math.max(candidate.sinceMs, ableMs) + reachedForMs + candidate.offsetMs;
  const away = new Set([...awayFrom(situation), nodes.get(name)?.name ?? '']);
  const dueMs = fromMs + placeOf(`new:${name}`, situation, away) * stepMs;
  candidate.checkMs = Math.min(Math.max(dueMs, nowMs), nowMs + stepMs);
  return nowMs >= dueMs;
}
