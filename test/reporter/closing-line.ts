import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** What a run came to. Errors outside tests (a file, a hook, a stray rejection) count as failed. */
interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  readonly reasons: Map<string, number>;
}

/**
 * Ends the output with `N passed, N failed, N skipped`, after one line for each distinct reason that
 * tests gave for being skipped (`context.skip(reason)`). The line agrees with the exit code: where
 * that says failure, at least one is counted.
 */
export class ClosingLineReporter implements Reporter {
  #tally: Tally = emptyTally();

  onInit(): void {
    // Only what is written on exit comes after everything else.
    process.once('exit', (code) => process.stdout.write(closingLines(this.#tally, code)));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#tally = emptyTally();
    this.#tally.failed += unhandled.length;
    for (const module of modules) countModule(module, this.#tally);
    if (this.#tally.failed > 0) process.exitCode = 1;
  }
}

function emptyTally(): Tally {
  return { passed: 0, failed: 0, skipped: 0, reasons: new Map() };
}

function countModule(module: TestModule, tally: Tally): void {
  for (const suite of [module, ...module.children.allSuites()]) {
    if (suite.errors().length > 0) tally.failed += 1;
  }
  for (const test of module.children.allTests()) countTest(test, tally);
}

function countTest(test: TestCase, tally: Tally): void {
  const result = test.result();
  if (result.state === 'passed') {
    tally.passed += 1;
  } else if (result.state === 'skipped') {
    tally.skipped += 1;
    const reason = result.note ?? 'no reason given';
    tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1);
  } else {
    // One that never finished has not passed.
    tally.failed += 1;
  }
}

function closingLines({ passed, failed, skipped, reasons }: Tally, exitCode: number): string {
  const atLeast = exitCode === 0 ? 0 : 1;
  return [
    ...[...reasons].map(([reason, count]) => `${count} skipped: ${reason}`),
    `${passed} passed, ${Math.max(failed, atLeast)} failed, ${skipped} skipped`,
    '',
  ].join('\n');
}
