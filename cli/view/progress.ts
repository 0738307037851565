import type { ProgramIo } from '../context.js';

const everyMs = 1000;

/**
 * Waits for a slow operation and shows its name and duration on stderr. The line disappears when
 * the operation settles. It writes nothing if stderr is not a terminal.
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
