import { History } from './history.js';
import type { Scenario } from './scenarios/scenario.js';

/** What was said about agents that tell nothing. */
export interface MissingObservers {
  /** Agents that answer the local one, without a row for far longer than a row stays fresh. */
  readonly isMissing: boolean;
  readonly isSaid: boolean;
  /** Nodes that were named although their row is fresh. */
  readonly wrong: readonly string[];
}

/** A row that has been missing for this long is no lost exchange. */
const surelyMissingMs = 30_000;

/** Holds the findings of missing observers against the rows that are really missing. */
export function missingObserversOf({
  output,
  input,
  view,
  conditions,
  layout,
}: Scenario): MissingObservers {
  const said = output.findings.filter(({ kind }) => kind === 'observers-missing');
  const named = said.flatMap(({ evidence }) => evidence.map(({ to }) => to));
  const history = new History(conditions.troubles);
  // Its row would come with its answer to a GET.
  const answers = (name: string) =>
    history.mutedS(conditions.local, layout.names.indexOf(name)) === undefined;
  let isMissing = false;
  for (const { row, ageMs } of input.rows) {
    if (ageMs > surelyMissingMs && answers(row.observer)) isMissing = true;
  }
  for (const [name] of input.silentMs) if (answers(name)) isMissing = true;
  return { isMissing, isSaid: said.length > 0, wrong: named.filter((name) => view.hasRow(name)) };
}
