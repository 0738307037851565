import { setTimeout as delay } from 'node:timers/promises';
import { withoutTime } from './table.js';

const refreshMs = 1000;

/** Where the table goes: standard output, or what a test gives. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly rows?: number;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Shows a table until the signal aborts: on a terminal it is rewritten in place every second,
 * elsewhere it is printed whenever something other than its time changed.
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

/** Prints each table over the one before, without clearing the screen, which would flicker. */
export function inPlace(screen: Screen): (table: string) => void {
  let shown = 0;
  return (table) => {
    const { rows = 24, columns = 80 } = screen;
    const lines = fit(table.split('\n'), rows - 1).map(
      (line) => `${line.slice(0, columns - 1)}\x1b[K\n`,
    );
    // What has scrolled off the top of a window made smaller is out of the cursor's reach.
    const up = Math.min(shown, rows - 1);
    screen.write(`${up > 0 ? `\x1b[${up}A` : ''}\r${lines.join('')}\x1b[J`);
    shown = lines.length;
  };
}

/** Prints a table whenever it differs from the one before in more than its time. */
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
