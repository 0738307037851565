/** Prints a line about the progress, with the time since the start. */
export function logProgress(line: string): void {
  const seconds = (performance.now() / 1000).toFixed(0).padStart(4);
  process.stderr.write(`bench: ${seconds} s  ${line}\n`);
}
