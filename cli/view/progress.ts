import type { ProgramIo } from '../context.js';

const everyMs = 1000;

/**
 * Waits for something that may take long, and on a terminal says what for and how long already, on
 * standard error; the line is gone when this settles. Elsewhere nothing is written.
 */
export async function showProgress<T>(
  stderr: ProgramIo['stderr'],
  what: string,
  wait: Promise<T>,
): Promise<T> {
  if (stderr.isTTY !== true) return wait;
  const startedAt = performance.now();
  const show = (): void => {
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    stderr.write(`\r${what}... ${seconds} s\x1b[K`);
  };
  const timer = setInterval(show, everyMs);
  show();
  try {
    return await wait;
  } finally {
    clearInterval(timer);
    stderr.write('\r\x1b[K');
  }
}
