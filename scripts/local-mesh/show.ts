import { setTimeout as delay } from 'node:timers/promises';
import { withoutTime } from './table.js';

const refreshMs = 1000;

/** The output of the table. Tests pass their own. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly rows?: number;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Shows a table until the signal aborts. On a terminal it overwrites the table every second.
 * Elsewhere it prints a table when more than its time has changed.
 * @throws AbortError once the signal aborts
 */
export async function showTable(
  read: () => Promise<string>,
  screen: Screen,
  signal: AbortSignal,
): Promise<never> {
  const show = screen.isTTY === true ? inPlace(screen) : onChange(screen);
  for (;;) {
    const table = await read();
    signal.throwIfAborted();
    show(table);
    await delay(refreshMs, undefined, { signal });
  }
}

/**
 * Prints each table over the previous one. It does not clear the screen, because that would
 * flicker.
 */
export function inPlace(screen: Screen): (table: string) => void {
  let shown = 0;
  return (table) => {
    const { rows = 24, columns = 80 } = screen;
    const lines = fit(table.split('\n'), rows - 1).map(
      (line) => `${line.slice(0, columns - 1)}\x1b[K\n`,
    );
    // The window may have become smaller. The cursor cannot reach lines that have scrolled off its
    // top.
    const up = Math.min(shown, rows - 1);
    screen.write(`${up > 0 ? `\x1b[${up}A` : ''}\r${lines.join('')}\x1b[J`);
    shown = lines.length;
  };
}

/** Prints a table if it differs from the previous one in more than its time. */
export function onChange(screen: Screen): (table: string) => void {
  let shown: string | undefined;
  return (table) => {
    const facts = withoutTime(table);
    if (facts !== shown) screen.write(`${table}\n\n`);
    shown = facts;
  };
}

function fit(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines;
  const kept = Math.max(rows - 1, 1);
  return [...lines.slice(0, kept), `  ... and ${lines.length - kept} more lines`];
}
