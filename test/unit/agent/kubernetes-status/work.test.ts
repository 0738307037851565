import { expect, test } from 'vitest';
import { ConditionReconciler } from '../../../../agent/kubernetes-status/condition-reconciler.js';
import { EventReconciler } from '../../../../agent/kubernetes-status/event-reconciler.js';
import type { Situation } from '../../../../agent/kubernetes-status/situation.js';
import { WriteBudget } from '../../../../agent/kubernetes-status/write-budget.js';
import { finding, listedNode, n, situationOf } from './world.js';

const size = 5000;
const open = 64;

/** 5,000 agents and 64 open findings, and how often the name of an agent was hashed. */
function counted() {
  let hashed = 0;
  const names = Array.from({ length: size }, (_, index) => n(index + 1));
  const others = names.slice(1).map((short) => ({
    get name() {
      hashed++;
      return `c/${short}`;
    },
    heardMsAgo: 0,
    isReady: true,
  }));
  const listed = names.map(listedNode);
  const startAt = Date.UTC(2026, 0, 1);
  const base = situationOf(names, {
    listed: { nodes: new Map(listed.map((node) => [node.name, node])), isCurrent: true },
    others,
  });
  const since = new Date(startAt).toISOString();
  const findings = Array.from({ length: open }, (_, index) => ({
    finding: finding(index + 2, { since, seenBy: { failing: 600, of: 600 } }),
    nodes: new Set([n(index + 2)]),
  }));
  const at = (nowMs: number): Situation => ({
    ...base,
    findings: nowMs < 20_000 ? [] : findings,
    nowMs,
    wallMs: startAt + nowMs,
  });
  return { at, hashed: () => hashed };
}

test('agents whose turn does not come stop to count all others for an Event', () => {
  const { at, hashed } = counted();
  const events = new EventReconciler(new WriteBudget());
  const run = (fromMs: number, toMs: number) => {
    const before = hashed();
    for (let nowMs = fromMs; nowMs < toMs; nowMs += 5000) {
      const write = events.next(at(nowMs));
      if (write) events.noteWritten(write);
    }
    return hashed() - before;
  };
  run(0, 300_000);
  expect(run(300_000, 360_000)).toBe(0);
});

test('agents count all others for a condition once in a step, however long they wait', () => {
  const { at, hashed } = counted();
  const conditions = new ConditionReconciler(new WriteBudget());
  for (let nowMs = 0; nowMs < 60_000; nowMs += 5000) conditions.next(at(nowMs));
  const before = hashed();
  for (let nowMs = 60_000; nowMs < 90_000; nowMs += 1000) conditions.next(at(nowMs));
  // At most ten conditions are its turn at a time, and a step is ten seconds.
  expect(hashed() - before).toBeLessThanOrEqual(10 * 4 * size);
});
