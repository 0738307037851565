import { useState } from 'preact/hooks';
import { cellStates } from '../../schema/v1/matrix-bytes.js';
import type { NodeMatrix } from '../model/matrix-cells.js';
import { formatAge } from '../model/format-time.js';
import { channelWords } from '../model/channel-words.js';
import { stateWord } from './matrix-section.js';
import { NodeLink } from './names.js';
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

function ObserverTable({ matrix }: { readonly matrix: NodeMatrix }) {
  const [page, setPage] = useState(0);
  const { rows, columns, shown: states, ages, stale } = matrix;
  const pages = Math.ceil(rows.length / pageSize);
  const shown = rows.slice(page * pageSize, (page + 1) * pageSize);
  const countsOf = (row: number): number[] => {
    const counts = cellStates.map(() => 0);
    for (const state of states.subarray(row * columns.length, (row + 1) * columns.length)) {
      counts[state] = (counts[state] ?? 0) + 1;
    }
    return counts;
  };
  return (
    <>
      <TableScroller label="What each observer sees">
        <table>
          <caption>What each observer sees</caption>
          <thead>
            <tr>
              <th scope="col">Observer</th>
              <th scope="col">Reported</th>
              {cellStates.map((state, at) => (
                <th key={state} scope="col">
                  {stateWord(at)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((name, at) => {
              const row = page * pageSize + at;
              const age = ages[row];
              return (
                <tr key={name}>
                  <th scope="row">
                    <NodeLink isClipped name={name} />
                  </th>
                  <td>
                    {typeof age === 'number' ? `${formatAge(age * 1000)} ago` : 'never'}
                    {stale[row] === true && ', stale'}
                  </td>
                  {countsOf(row).map((number, state) => (
                    <td key={state} class="number">
                      {number.toLocaleString('en')}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroller>
      {pages > 1 && (
        <p class="pages">
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Previous
          </button>
          <span>
            Page {page + 1} of {pages}
          </span>
          <button type="button" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
            Next
          </button>
        </p>
      )}
    </>
  );
}
