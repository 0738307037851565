import { expect, test } from 'vitest';
import {
  ConditionReconciler,
  type ConditionWrite,
} from '../../../../agent/kubernetes-status/condition-reconciler.js';
import { WriteBudget } from '../../../../agent/kubernetes-status/write-budget.js';

const write = (node: string): ConditionWrite => ({
  node,
  uid: `uid-${node}`,
  condition: { status: 'False', reason: 'NodeDown', message: 'it is down', sinceAt: 1 },
});

test('remembers its own writes until the watch has shown them, and no longer', () => {
  const reconciler = new ConditionReconciler(new WriteBudget());
  for (let minute = 0; minute < 100; minute++) {
    reconciler.noteWritten(write(`n${minute}`), 60_000 * minute);
    reconciler.noteWritten(write('again'), 60_000 * minute + 1000);
    expect(reconciler.rememberedWrites).toBe(2);
  }
});
