import type { CellState } from '../../api/schema/v1/matrix-bytes.js';
import type { Colour, Paint } from './colour.js';

interface Glyph {
  readonly glyph: string;
  readonly colour: Colour;
  readonly words: string;
  /** The matrix shows cells with the highest number first. */
  readonly badness: number;
}

// ASCII glyphs are one column wide in every terminal. They tell the states apart without colours.
const glyphs: Readonly<Record<CellState, Glyph>> = {
  reachable: { glyph: 'o', colour: 'green', words: 'reachable', badness: 0 },
  'lossy-or-slow': { glyph: '~', colour: 'yellow', words: 'lossy or slow', badness: 100 },
  unreachable: { glyph: 'X', colour: 'red', words: 'unreachable', badness: 10_000 },
  unknown: { glyph: '?', colour: 'yellow', words: 'unknown', badness: 1 },
  'no-report': { glyph: '.', colour: 'dim', words: 'no report, or a stale one', badness: 1 },
  excluded: { glyph: '-', colour: 'dim', words: 'excluded', badness: 0 },
};

/** The glyph of a cell, one column wide. */
export function cellGlyph(state: CellState, paint: Paint): string {
  const { glyph, colour } = glyphs[state];
  return paint(colour, glyph);
}

/** The rank of a state, used to find the worst rows and columns. */
export function badnessOf(state: CellState): number {
  return glyphs[state].badness;
}

/** A line that explains the glyphs. */
export function glyphLegend(paint: Paint): string {
  const parts = Object.values(glyphs).map(
    ({ glyph, colour, words }) => `${paint(colour, glyph)} ${words}`,
  );
  return `Legend: ${parts.join('  ')}`;
}
