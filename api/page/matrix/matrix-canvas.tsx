import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks';
import { CellTiles } from './cell-tiles.js';
import type { Grid } from './grid.js';
import {
  cellAt,
  cellByKey,
  maxCell,
  measure,
  nextProblem,
  scrollTo,
  type Cell,
  type Layout,
} from './layout.js';
import { readPalette, type Palette } from './palette.js';
import { createLabelMeter, paintFrame } from './paint.js';

interface MatrixCanvasProps {
  readonly grid: Grid;
  /** Names the matrix for screen readers. */
  readonly label: string;
}

const zoomStep = 1.5;
const helpOf = ({ open }: Grid): string =>
  `Arrow keys move, ${open ? 'Enter opens the cell, ' : ''}N and P go to the next and previous problem.`;

/**
 * A matrix on a canvas. The browser scrolls it, one screenful is painted at a time, and the
 * keyboard moves a cursor.
 */
export function MatrixCanvas({ grid, label }: MatrixCanvasProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0, maxHeight: 0 });
  const [zoom, setZoom] = useState(1);
  const [hovered, setHovered] = useState<Cell | undefined>(undefined);
  const [cursor, setCursor] = useState<Cell | undefined>(undefined);
  const palette = usePalette(scroller);

  const room = { width: size.width, height: size.maxHeight };
  const widthOf = useMemo(() => createLabelMeter(palette), [palette]);
  const measured = useMemo(
    () => measure(grid, room, zoom, widthOf),
    [grid, room.width, room.height, zoom, widthOf],
  );
  const contentWidth = measured.gutterLeft + grid.columns.length * measured.cellWidth;
  const contentHeight = measured.gutterTop + grid.rows.length * measured.cellHeight;
  const tiles = useMemo(
    () => (palette ? new CellTiles(grid, palette) : undefined),
    [grid, palette],
  );

  const layoutNow = useCallback((): Layout => {
    const { scrollLeft = 0, scrollTop = 0 } = scroller.current ?? {};
    return {
      ...measured,
      scrollLeft,
      scrollTop,
      viewWidth: Math.min(size.width, contentWidth),
      viewHeight: Math.min(size.height, contentHeight),
    };
  }, [measured, size, contentWidth, contentHeight]);

  const paint = useFrame(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !canvas.current || !palette || !tiles || size.width === 0) return;
    const layout = layoutNow();
    const pixelRatio = devicePixelRatio;
    const width = Math.round(layout.viewWidth * pixelRatio);
    const height = Math.round(layout.viewHeight * pixelRatio);
    // A canvas is cleared and allocated again when its size is set, even to the same value.
    if (canvas.current.width !== width) canvas.current.width = width;
    if (canvas.current.height !== height) canvas.current.height = height;
    paintFrame(context, { grid, tiles, layout, palette, pixelRatio, hovered, cursor });
  });

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      const maxHeight = Number.parseFloat(getComputedStyle(element).maxHeight);
      setSize((known) =>
        known.width === width && known.height === height && known.maxHeight === maxHeight
          ? known
          : { width, height, maxHeight },
      );
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(paint);

  const zoomTo = (next: number, anchor?: { readonly x: number; readonly y: number }): void => {
    const element = scroller.current;
    const base = measured.cellWidth / zoom;
    const clamped = Math.min(Math.max(1, next), Math.max(1, maxCell / base));
    if (!element || clamped === zoom) return;
    const at = anchor ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    const column = (element.scrollLeft + at.x - measured.gutterLeft) / measured.cellWidth;
    const row = (element.scrollTop + at.y - measured.gutterTop) / measured.cellHeight;
    setZoom(clamped);
    const after = measure(grid, room, clamped, widthOf);
    // The browser can scroll there only after the content has its new size.
    requestAnimationFrame(() => {
      element.scrollLeft = column * after.cellWidth - (at.x - after.gutterLeft);
      element.scrollTop = row * after.cellHeight - (at.y - after.gutterTop);
    });
  };

  const moveTo = (cell: Cell): void => {
    setCursor(cell);
    scroller.current?.scrollTo({ ...scrollTo(layoutNow(), cell), behavior: 'instant' });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    const from = cursor ?? { row: 0, column: 0 };
    const isLarge = event.shiftKey || event.ctrlKey;
    const next = cellByKey(grid, from, event.key, isLarge);
    if (next) moveTo(cursor ? next : from);
    else if (event.key === 'Enter' && cursor && grid.open) grid.open(cursor.row, cursor.column);
    else if (event.key === 'n' || event.key === 'p') {
      const problem = nextProblem(grid, from, event.key === 'n' ? 1 : -1);
      if (problem) moveTo(problem);
    } else if (event.key === '+' && grid.canZoom) zoomTo(zoom * zoomStep);
    else if (event.key === '-' && grid.canZoom) zoomTo(zoom / zoomStep);
    else if (event.key === '0' && grid.canZoom) zoomTo(1);
    else if (event.key === 'Escape' && cursor) setCursor(undefined);
    else return;
    event.preventDefault();
  };

  const cellOf = (event: MouseEvent): Cell | undefined =>
    cellAt(grid, layoutNow(), event.offsetX, event.offsetY);
  const named = hovered ?? cursor;

  // Preact adds passive wheel listeners. These cannot keep the browser from zooming the page.
  const zoomNow = useRef(zoomTo);
  zoomNow.current = zoomTo;
  const zoomOf = useRef(zoom);
  zoomOf.current = zoom;
  useEffect(() => {
    const element = canvas.current;
    if (!element || !grid.canZoom) return;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const factor = Math.exp(-event.deltaY / 200);
      zoomNow.current(zoomOf.current * factor, { x: event.offsetX, y: event.offsetY });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [grid.canZoom]);

  return (
    <div class="matrix">
      <div class="matrix-bar">
        <p class="readout" aria-hidden="true">
          {named
            ? grid.describe(named.row, named.column)
            : 'Point at a cell, or walk with the arrow keys.'}
        </p>
        {grid.canZoom && (
          <div class="zoom" role="group" aria-label="Zoom">
            <button type="button" aria-label="Zoom out" onClick={() => zoomTo(zoom / zoomStep)}>
              −
            </button>
            <button type="button" aria-label="Fit the whole width" onClick={() => zoomTo(1)}>
              Fit
            </button>
            <button type="button" aria-label="Zoom in" onClick={() => zoomTo(zoom * zoomStep)}>
              +
            </button>
          </div>
        )}
      </div>
      <div class="matrix-scroller" ref={scroller} onScroll={paint}>
        <div
          class="matrix-extent"
          style={{ width: `${contentWidth}px`, height: `${contentHeight}px` }}
        >
          <canvas
            ref={canvas}
            class={hovered && grid.open ? 'matrix-canvas pointing' : 'matrix-canvas'}
            style={{
              width: `${Math.min(size.width, contentWidth)}px`,
              height: `${Math.min(size.height, contentHeight)}px`,
            }}
            tabIndex={0}
            role="application"
            aria-roledescription="matrix"
            aria-label={label}
            aria-describedby={`${id}-help`}
            onKeyDown={onKeyDown}
            onMouseMove={(event) => {
              const cell = cellOf(event);
              if (cell?.row !== hovered?.row || cell?.column !== hovered?.column) setHovered(cell);
            }}
            onMouseLeave={() => setHovered(undefined)}
            onBlur={() => setCursor(undefined)}
            onClick={(event) => {
              const cell = cellOf(event);
              if (cell) grid.open?.(cell.row, cell.column);
            }}
          />
        </div>
      </div>
      <p class="visually-hidden" id={`${id}-help`}>
        {helpOf(grid)}
      </p>
      <p class="visually-hidden" role="status">
        {cursor ? grid.describe(cursor.row, cursor.column) : ''}
      </p>
    </div>
  );
}

/**
 * Returns a function that asks for a frame. However often it is called, the newest `draw` runs once
 * before the next paint.
 */
function useFrame(draw: () => void): () => void {
  const newest = useRef(draw);
  newest.current = draw;
  const pending = useRef(0);
  useEffect(() => () => cancelAnimationFrame(pending.current), []);
  return useCallback(() => {
    cancelAnimationFrame(pending.current);
    pending.current = requestAnimationFrame(() => newest.current());
  }, []);
}

/**
 * Returns the colours of the reader's colour scheme, and reads them again when the scheme changes.
 */
function usePalette(element: { readonly current: Element | null }): Palette | undefined {
  const [palette, setPalette] = useState<Palette | undefined>(undefined);
  useLayoutEffect(() => {
    const read = (): void => {
      if (element.current) setPalette(readPalette(element.current));
    };
    read();
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', read);
    return () => scheme.removeEventListener('change', read);
  }, []);
  return palette;
}
