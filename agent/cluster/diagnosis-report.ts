import { diagnoseSteps } from '../diagnosis/diagnose.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
  ObservedRow,
} from '../diagnosis/nouns/diagnosis-input.js';
import { chooseRows } from '../diagnosis/evidence/row-choice.js';

/** About this many paths of rows are written, which take some 250 MB. */
const mostPaths = 2_000_000;

/**
 * Runs the diagnosis and writes what it is made from and what it finds, as one JSON object in
 * pieces. Each row is unpacked when it is written, so thousands of unpacked rows are never in memory
 * at once. `npm run sim -- replay` reads the object.
 * @param limit rows beyond so many paths are left out and counted: the diagnosis does not read them
 */
export function* writeDiagnosis(
  input: DiagnosisInput,
  limit = mostPaths,
): Generator<string, DiagnosisOutput> {
  const { index, rows, silentMs, plainForMs, heardMsAgo, previous, ...plain } = input;
  yield JSON.stringify({ ...plain, groupBy: index.groupBy }).slice(0, -1);
  yield* list(',"nodes":[', index.nodes);
  yield* list('],"silentMs":[', silentMs);
  yield* list('],"plainForMs":[', plainForMs ? msOfNodes(index, plainForMs) : []);
  yield* list('],"heardMsAgo":[', msOfNodes(index, heardMsAgo));
  if (previous) {
    const { memory, shadows, past, livesSince, ...shown } = previous;
    yield `],"previous":${JSON.stringify(shown).slice(0, -1)}`;
    yield* list(',"memory":[', memory);
    yield* list('],"shadows":[', shadows);
    yield* list('],"past":[', past);
    yield* list('],"livesSince":[', livesSince);
    yield ']},"rows":[';
  } else {
    yield '],"rows":[';
  }
  const read: ObservedRow[] = [];
  let [paths, omittedRows] = [0, 0];
  function* limitedRows(): Generator<ObservedRow, void> {
    for (const observed of chooseRows(rows, input)) {
      paths += observed.row.paths.length;
      if (paths > limit) {
        omittedRows++;
        continue;
      }
      read.push(observed);
      yield observed;
    }
  }
  const steps = diagnoseSteps({ ...input, rows: limitedRows() });
  let separator = '';
  for (;;) {
    const step = steps.next();
    for (const row of read.splice(0)) {
      yield separator + JSON.stringify(row);
      separator = ',';
    }
    if (step.done === true) {
      const { findings, unexplained, unexplainedTargets, notKnown, suspected, ...when } =
        step.value;
      const { opensInMs, wantsRows, outdated } = when;
      const shown = { findings, unexplained, unexplainedTargets, notKnown, suspected };
      const output = { ...shown, opensInMs, wantsRows, outdated };
      yield `],"omittedRows":${omittedRows},"output":${JSON.stringify(output)}}`;
      return step.value;
    }
    yield '';
  }
}

function* list(head: string, items: Iterable<unknown>): Generator<string, void> {
  let before = head;
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  if (before === head) yield head;
}

function* msOfNodes(
  index: DiagnosisInput['index'],
  msOf: DiagnosisInput['heardMsAgo'],
): Generator<[string, number], void> {
  for (const { name } of index.nodes) {
    const ms = msOf.get(name);
    if (ms !== undefined) yield [name, ms];
  }
}
