/** Resolves at once while the page is shown, else when it is shown again, or the signal is aborted. */
export function untilShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      signal.removeEventListener('abort', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
    check();
  });
}

/** A signal that is aborted when the page is hidden, and what stops looking for that. */
export function hiddenSignal(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const hiding = new AbortController();
  const check = (): void => {
    if (document.hidden) hiding.abort();
  };
  document.addEventListener('visibilitychange', check);
  check();
  return {
    signal: hiding.signal,
    stop: () => document.removeEventListener('visibilitychange', check),
  };
}
