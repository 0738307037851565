/** Tells whoever waits what is going on. */
export function say(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}
