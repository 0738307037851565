import { useMemo, useState } from 'preact/hooks';
import { cellStates } from '../../schema/v1/matrix-bytes.js';
import type { NodeMatrix } from '../model/matrix-cells.js';
import { formatAge } from '../model/format-time.js';
import { channelWords } from '../model/channel-words.js';
import { stateWord } from './matrix-section.js';
import { NodeLink } from './names.js';
import { SortableTable, type Column } from './sortable-table.js';
import { TableScroller } from './table-scroller.js';

const pageSize = 100;
const maxProblems = 200;

/** The matrix as two tables: the counts of each observer, and every cell that is not well. */
export function NodeMatrixTable({ matrix }: { readonly matrix: NodeMatrix }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="table-twin" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The same as a table</summary>
      {isOpen && (
        <>
          <ProblemTable matrix={matrix} />
          <ObserverTable matrix={matrix} />
        </>
      )}
    </details>
  );
}

function ProblemTable({ matrix }: { readonly matrix: NodeMatrix }) {
  const { shown: states, columns } = matrix;
  const problems: number[] = [];
  let total = 0;
  for (let at = 0; at < states.length; at++) {
    if (states[at] !== 3 && states[at] !== 4) continue;
    total += 1;
    if (problems.length < maxProblems) problems.push(at);
  }
  if (total === 0) return <p>No pair fails, and none is lossy or slow.</p>;
  return (
    <TableScroller label="Pairs that are not well">
      <table>
        <caption>
          Pairs that are not well
          {total > problems.length &&
            `: the first ${problems.length} of ${total.toLocaleString('en')}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {problems.map((at) => (
            <tr key={at}>
              <th scope="row">
                <NodeLink isClipped name={matrix.rows[Math.floor(at / columns.length)] ?? ''} />
              </th>
              <td>
                <NodeLink isClipped name={columns[at % columns.length] ?? ''} />
              </td>
              <td>
                {stateWord(states[at] ?? 0)}
                {channelWords(matrix, at)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}

/** What one observer sees, by the byte of the state. */
interface ObserverRow {
  readonly name: string;
  readonly ageSeconds: number | undefined;
  readonly isStale: boolean;
  readonly counts: readonly number[];
}

const observerColumns: readonly Column<ObserverRow>[] = [
  {
    id: 'name',
    title: 'Observer',
    value: ({ name }) => name,
    cell: ({ name }) => <NodeLink isClipped name={name} />,
  },
  {
    id: 'reported',
    title: 'Reported',
    value: ({ ageSeconds }) => ageSeconds,
    cell: ({ ageSeconds, isStale }) =>
      `${ageSeconds === undefined ? 'never' : `${formatAge(ageSeconds * 1000)} ago`}${isStale ? ', stale' : ''}`,
  },
  ...cellStates.map((state, at): Column<ObserverRow> => ({
    id: state,
    title: stateWord(at),
    isNumber: true,
    value: ({ counts }) => counts[at],
    cell: ({ counts }) => (counts[at] ?? 0).toLocaleString('en'),
  })),
];

function ObserverTable({ matrix }: { readonly matrix: NodeMatrix }) {
  const rows = useMemo(() => observerRows(matrix), [matrix]);
  return (
    <SortableTable
      label="What each observer sees"
      caption="What each observer sees"
      columns={observerColumns}
      rows={rows}
      keyOf={({ name }) => name}
      pageSize={pageSize}
    />
  );
}

function observerRows({ rows, columns, shown, ages, stale }: NodeMatrix): ObserverRow[] {
  return rows.map((name, row) => {
    const counts = cellStates.map(() => 0);
    for (const state of shown.subarray(row * columns.length, (row + 1) * columns.length)) {
      counts[state] = (counts[state] ?? 0) + 1;
    }
    return { name, ageSeconds: ages[row] ?? undefined, isStale: stale[row] === true, counts };
  });
}
