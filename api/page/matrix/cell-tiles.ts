import { lossyOrSlow, noReport, excluded, unreachable, worstOf } from '../model/matrix-cells.js';
import type { Grid } from './grid.js';
import { mix, pixelOf, type Palette } from './palette.js';

const tileSize = 512;
const maxTiles = 64;

export interface TileRequest {
  /** Each pixel shows the worst of 2^level by 2^level cells. */
  readonly level: number;
  /** Failing cells also cover their neighbours. One among a million cells is then visible. */
  readonly emphasised: boolean;
}

/**
 * A picture of the matrix with one pixel for each cell. Tiles are made when they come into view. A
 * cell without a report is transparent.
 */
export class CellTiles {
  readonly #grid: Grid;
  readonly #pixels: Uint32Array;
  readonly #rttPixels: Uint32Array | undefined;
  readonly #tiles = new Map<string, HTMLCanvasElement>();
  readonly #pooled = new Map<number, PooledStates>();

  constructor(grid: Grid, palette: Palette) {
    this.#grid = grid;
    this.#pixels = Uint32Array.from(palette.states, (color, state) =>
      state === noReport || state === excluded ? 0 : pixelOf(color),
    );
    if (grid.rtts) this.#rttPixels = rttPixels(grid.rtts, palette);
  }

  /** Paints the tiles that overlap a range of cells. Each cell gets the given size. */
  paint(
    context: CanvasRenderingContext2D,
    { level, emphasised }: TileRequest,
    area: {
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    },
    cell: { readonly width: number; readonly height: number },
  ): void {
    const { rows, columns } = this.#pooledStates(level);
    const width = cell.width * 2 ** level;
    const height = cell.height * 2 ** level;
    const first = (from: number, size: number): number =>
      Math.max(0, Math.floor(from / size / tileSize));
    const last = (to: number, size: number, count: number): number =>
      Math.min(Math.ceil(count / tileSize), Math.ceil(to / size / tileSize));
    for (let y = first(area.y, height); y < last(area.y + area.height, height, rows); y++) {
      for (let x = first(area.x, width); x < last(area.x + area.width, width, columns); x++) {
        const tile = this.#tile(level, emphasised, x, y);
        context.drawImage(
          tile,
          x * tileSize * width - area.x,
          y * tileSize * height - area.y,
          tile.width * width,
          tile.height * height,
        );
      }
    }
  }

  #tile(level: number, emphasised: boolean, x: number, y: number): HTMLCanvasElement {
    const key = `${level} ${emphasised} ${x} ${y}`;
    const known = this.#tiles.get(key);
    if (known) return known;
    const tile = this.#makeTile(this.#pooledStates(level), emphasised, x * tileSize, y * tileSize);
    this.#tiles.set(key, tile);
    const [oldest] = this.#tiles.keys();
    if (this.#tiles.size > maxTiles && oldest !== undefined) this.#tiles.delete(oldest);
    return tile;
  }

  #makeTile(pooled: PooledStates, emphasised: boolean, left: number, top: number) {
    const { rows, columns, states, rtts } = pooled;
    const width = Math.min(tileSize, columns - left);
    const height = Math.min(tileSize, rows - top);
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    for (let y = 0; y < height; y++) {
      const start = (top + y) * columns + left;
      for (let x = 0; x < width; x++) {
        const state = states[start + x] ?? 0;
        const rtt = state === 2 ? (rtts?.[start + x] ?? 0) : 0;
        pixels[y * width + x] = (rtt > 0 ? this.#rttPixels?.[rtt] : this.#pixels[state]) ?? 0;
      }
    }
    if (emphasised) this.#emphasise(pixels, pooled, { left, top, width, height });
    const tile = document.createElement('canvas');
    tile.width = width;
    tile.height = height;
    tile.getContext('2d')?.putImageData(image, 0, 0);
    return tile;
  }

  /** Paints the milder state first, so that the worse one covers it. */
  #emphasise(
    pixels: Uint32Array,
    { rows, columns, states }: PooledStates,
    { left, top, width, height }: Record<'left' | 'top' | 'width' | 'height', number>,
  ): void {
    for (const state of [lossyOrSlow, unreachable]) {
      const pixel = this.#pixels[state] ?? 0;
      for (let row = Math.max(0, top - 1); row <= Math.min(rows - 1, top + height); row++) {
        for (let at = Math.max(0, left - 1); at <= Math.min(columns - 1, left + width); at++) {
          if (states[row * columns + at] !== state) continue;
          for (let y = row - 1; y <= row + 1; y++) {
            for (let x = at - 1; x <= at + 1; x++) {
              const inside = x >= left && x < left + width && y >= top && y < top + height;
              if (inside) pixels[(y - top) * width + x - left] = pixel;
            }
          }
        }
      }
    }
  }

  #pooledStates(level: number): PooledStates {
    const known = this.#pooled.get(level);
    if (known) return known;
    const { rows, columns, states, rtts } = this.#grid;
    const pooled =
      level === 0
        ? { rows: rows.length, columns: columns.length, states, rtts }
        : halve(this.#pooledStates(level - 1));
    this.#pooled.set(level, pooled);
    return pooled;
  }
}

interface PooledStates {
  readonly rows: number;
  readonly columns: number;
  readonly states: Uint8Array;
  readonly rtts: Uint8Array | undefined;
}

/**
 * Halves the rows and columns. Each new cell has the worst state and the longest round trip of
 * four.
 */
function halve({ rows, columns, states, rtts }: PooledStates): PooledStates {
  const halfRows = Math.ceil(rows / 2);
  const halfColumns = Math.ceil(columns / 2);
  const worst = new Uint8Array(halfRows * halfColumns).fill(excluded);
  const longest = rtts ? new Uint8Array(halfRows * halfColumns) : undefined;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const from = row * columns + column;
      const to = (row >> 1) * halfColumns + (column >> 1);
      worst[to] = worstOf(worst[to] ?? 0, states[from] ?? 0);
      if (longest && rtts) longest[to] = Math.max(longest[to] ?? 0, rtts[from] ?? 0);
    }
  }
  return { rows: halfRows, columns: halfColumns, states: worst, rtts: longest };
}

/**
 * Returns one pixel for each byte of a round trip, from the shortest to the longest in the matrix.
 */
function rttPixels(rtts: Uint8Array, { rttRamp }: Palette): Uint32Array {
  const seen = new Uint32Array(256);
  for (const rtt of rtts) seen[rtt] = (seen[rtt] ?? 0) + 1;
  const present = [...seen.keys()].filter((rtt) => rtt > 0 && (seen[rtt] ?? 0) > 0);
  const [shortest = 1] = present;
  const longest = present.at(-1) ?? shortest;
  return Uint32Array.from(seen, (_, rtt) => {
    const share = longest > shortest ? (rtt - shortest) / (longest - shortest) : 0;
    return pixelOf(mix(rttRamp, Math.min(1, Math.max(0, share))));
  });
}
