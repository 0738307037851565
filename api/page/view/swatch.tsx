import type { CellState } from '../../schema/v1/matrix-bytes.js';

/** The marks that a cell has beside its colour, as paint.ts paints them. */
const marks: Readonly<Partial<Record<CellState, string>>> = {
  unknown: 'M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6',
  'lossy-or-slow': 'M8 4.5l3.8 7H4.2z',
  unreachable: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
};

/** The colour and the mark of a cell, for a legend. A word is always beside it. */
export function Swatch({ state }: { readonly state: CellState }) {
  const mark = marks[state];
  return (
    <span class={`swatch swatch-${state}`} aria-hidden="true">
      {mark !== undefined && (
        <svg viewBox="0 0 16 16">
          <path d={mark} />
        </svg>
      )}
    </span>
  );
}
