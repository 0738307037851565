/** Tells whoever waits what is going on, and how long it has taken so far. */
export function logProgress(line: string): void {
  const seconds = (performance.now() / 1000).toFixed(0).padStart(4);
  process.stderr.write(`bench: ${seconds} s  ${line}\n`);
}
