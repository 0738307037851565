const everyMs = 1000;

/** Where progress is shown. */
interface ProgressOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** The outputs that show one now: there is one line. */
const showing = new WeakSet<ProgressOutput>();

/**
 * Waits for a slow operation and shows its name and duration on stderr. The line disappears when
 * the operation settles. It writes nothing if stderr is not a terminal, or shows another one.
 * @param afterMs an operation that takes no longer is not shown
 */
export async function showProgress<T>(
  stderr: ProgressOutput,
  what: string,
  wait: Promise<T>,
  afterMs = 0,
): Promise<T> {
  if (stderr.isTTY !== true || showing.has(stderr)) return wait;
  showing.add(stderr);
  const startedAt = performance.now();
  let isShown = false as boolean;
  const show = (): void => {
    const ms = performance.now() - startedAt;
    if (ms < afterMs) return;
    isShown = true;
    stderr.write(`\r${what}... ${Math.floor(ms / 1000)} s\x1b[K`);
  };
  const timer = setInterval(show, everyMs);
  show();
  try {
    return await wait;
  } finally {
    clearInterval(timer);
    showing.delete(stderr);
    if (isShown) stderr.write('\r\x1b[K');
  }
}
