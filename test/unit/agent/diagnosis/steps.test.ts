import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { diagnoseSteps } from '../../../../agent/diagnosis/diagnose.js';
import type { ObservedRow } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { clusterOf, n, type PathOf, type Saying } from './cluster.js';

const [size, dead] = [200, 60];

/** The nodes with the highest numbers are dead. */
const says = ({ to }: PathOf): Saying =>
  Number(to.slice(n(0).length - 1)) > size - dead ? 'unreachable' : undefined;
const without = Array.from({ length: dead }, (_, at) => n(size - at));

describe('the diagnosis of a large outage', () => {
  it('takes short steps', () => {
    const entries = (size - dead) * dead;
    const steps = [...diagnoseSteps(clusterOf(size, { says, without }))].length;
    // Some twenty loops look at all entries, and one of them takes some microseconds before the code is compiled.
    expect(steps).toBeGreaterThan((20 * entries) / 1000);
  });

  it.each([[[]], [['dns']]])(
    'forgets the paths of a row once it is read, with targets %j',
    async (targets) => {
      setFlagsFromString('--expose-gc');
      const collectGarbage = runInNewContext('gc') as () => void;
      const input = clusterOf(20, {
        says: ({ to }) => (to === n(9) ? 'unreachable' : undefined),
        targets,
      });
      const paths: WeakRef<object>[] = [];
      const reads = { areDone: false };
      function* rows(): Generator<ObservedRow> {
        for (const observed of input.rows) {
          const row = { ...observed.row, paths: [...observed.row.paths] };
          paths.push(new WeakRef(row.paths));
          yield { ...observed, row };
        }
        reads.areDone = true;
      }
      const steps = diagnoseSteps({ ...input, rows: { [Symbol.iterator]: rows } });
      while (!reads.areDone) steps.next();
      await nextTurn();
      collectGarbage();
      // The own row is needed until the end. Node 26 keeps what the last steps of loops had as long as these are not resumed.
      const kept = paths.filter((ref) => ref.deref() !== undefined);
      expect(kept.length).toBeLessThanOrEqual(3);
      expect(paths).toHaveLength(20);
    },
  );
});
