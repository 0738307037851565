import { cellStates } from '../../schema/v1/matrix-bytes.js';

/** The stylesheet's colours that the canvas needs, for the reader's colour scheme. */
export interface Palette {
  readonly surface: string;
  readonly ink: string;
  readonly muted: string;
  readonly accent: string;
  /** This tile is repeated over cells without a report. */
  readonly hatchTile: HTMLCanvasElement;
  /** Indexed by the byte of the state. */
  readonly states: readonly string[];
  readonly stateInks: readonly string[];
  /** From the shortest round trip to the longest. */
  readonly rttRamp: readonly [string, string];
  readonly fontFamily: string;
}

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    surface: read('--surface'),
    ink: read('--ink'),
    muted: read('--muted'),
    accent: read('--accent'),
    hatchTile: makeHatchTile(read('--cell-hatch')),
    states: cellStates.map((state) => read(`--cell-${state}`)),
    stateInks: cellStates.map((state) => read(`--cell-${state}-ink`)),
    rttRamp: [read('--rtt-short'), read('--rtt-long')],
    fontFamily: style.fontFamily,
  };
}

/** Converts `#rrggbb` into a pixel of ImageData, read as a little-endian number. */
export function pixelOf(color: string): number {
  const digits = /^#([0-9a-f]{6})$/i.exec(color)?.[1];
  if (digits === undefined) throw new Error(`expected a colour as #rrggbb, got ${color}`);
  const rgb = Number.parseInt(digits, 16);
  return ((0xff << 24) | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
}

/** Mixes two colours. A share of 0 gives the first, 1 the second. */
export function mix([from, to]: readonly [string, string], share: number): string {
  const parts = [from, to].map((color) =>
    [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)),
  );
  const channel = (at: number): string => {
    const [a = 0, b = 0] = parts.map((one) => one[at]);
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(1)}${channel(2)}`;
}

/**
 * Draws diagonal lines on a transparent ground, for cells without a report. Nobody can take them
 * for the colour of a state.
 */
function makeHatchTile(ink: string): HTMLCanvasElement {
  const size = 6;
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext('2d');
  if (!pen) return tile;
  pen.strokeStyle = ink;
  pen.lineWidth = 1.2;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  return tile;
}
