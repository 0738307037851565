/** Resolves at once while the page is shown, else when it is shown again, or the signal is aborted. */
export function untilShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}

/** A signal that is aborted when the page is hidden, and what stops looking for that. */
export function hiddenSignal(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const hiding = new AbortController();
  const look = (): void => {
    if (document.hidden) hiding.abort();
  };
  document.addEventListener('visibilitychange', look);
  look();
  return {
    signal: hiding.signal,
    stop: () => document.removeEventListener('visibilitychange', look),
  };
}
