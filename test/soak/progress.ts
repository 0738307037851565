/** Prints a line about the progress, with the time since the start. */
export function logProgress(line: string): void {
  const seconds = (performance.now() / 1000).toFixed(0).padStart(5);
  process.stderr.write(`soak: ${seconds} s  ${line}\n`);
}
