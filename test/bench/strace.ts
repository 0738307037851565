/** The system calls that `strace -c` counted. */
export interface SystemCalls {
  readonly total: number;
  /** The most frequent ones first. */
  readonly calls: readonly { readonly name: string; readonly count: number }[];
}

/** Reads the table of `strace -c`: share, seconds, microseconds per call, calls, errors, name. */
export function readStrace(output: string): SystemCalls {
  const calls = output.split('\n').flatMap((line) => {
    const [, count, name] =
      /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)(?:\s+\d+)?\s+(\w+)\s*$/.exec(line) ?? [];
    if (count === undefined || name === undefined || name === 'total') return [];
    return [{ name, count: Number(count) }];
  });
  calls.sort((a, b) => b.count - a.count);
  return { total: calls.reduce((sum, { count }) => sum + count, 0), calls };
}
