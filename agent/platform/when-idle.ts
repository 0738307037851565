/**
 * Calls back once something was used, and then not again for `idleMs` milliseconds. Returns what each use
 * calls. It keeps no process alive.
 */
export function whenIdle(idleMs: number, onIdle: () => void): () => void {
  let usedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    const leftMs = usedMs + idleMs - performance.now();
    timer = leftMs > 0 ? setTimeout(check, Math.ceil(leftMs)).unref() : undefined;
    if (!timer) onIdle();
  };
  return () => {
    usedMs = performance.now();
    timer ??= setTimeout(check, idleMs).unref();
  };
}
