import type { TargetBody } from '../../api/schema/v1/targets.js';
import { csvLine } from './csv.js';
import { planesOf } from './target-planes.js';

const columns = ['name', 'kind', 'plane', 'verdict', 'state', 'reachedFrom', 'of', 'notLooked'];

/** Prints one line for each target and plane. */
export function targetsCsv(targets: readonly TargetBody[]): string {
  const lines = targets.flatMap((target) =>
    planesOf(target).map(([plane, { state, reached, p50Ns, p99Ns, failureKind, notFrom }]) => {
      const { from, of, notLooked } = reached;
      const head = [target.name, target.kind, plane, target.verdict, state, from, of, notLooked];
      return csvLine([...head, p50Ns, p99Ns, failureKind, notFrom.join(';')]);
    }),
  );
  return [csvLine([...columns, 'p50Ns', 'p99Ns', 'failureKind', 'notFrom']), ...lines].join('');
}
