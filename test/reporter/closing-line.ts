import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';

/** A run that fails throughout must not push out the lines before. */
const mostNamed = 20;

/** What a run came to. Errors outside tests (a file, a hook, a stray rejection) count as failed. */
interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  readonly reasons: Map<string, number>;
  /** One line for each failure: where, and the first line of what it says. */
  readonly failures: string[];
  /** The same for each test that passed when it was run again. */
  readonly passedAgain: string[];
}

/**
 * Ends the output with `N passed, N failed, N skipped`, after one line for each distinct reason that
 * tests gave for being skipped (`context.skip(reason)`) and one for each failure (the first 20), so
 * that the end of a long output tells what to mend. A test that passed only when it was run again counts as passed and
 * is named. The line agrees with the exit code: where that
 * says failure, at least one is counted.
 */
export class ClosingLineReporter implements Reporter {
  #tally: Tally = emptyTally();

  onInit(): void {
    // Only what is written on exit comes after everything else.
    process.once('exit', (code) => process.stdout.write(closingLines(this.#tally, code)));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#tally = emptyTally();
    for (const error of unhandled) fail(this.#tally, 'outside all tests', [error]);
    for (const module of modules) countModule(module, this.#tally);
    if (this.#tally.failed > 0) process.exitCode = 1;
  }
}

function emptyTally(): Tally {
  return { passed: 0, failed: 0, skipped: 0, reasons: new Map(), failures: [], passedAgain: [] };
}

function countModule(module: TestModule, tally: Tally): void {
  for (const suite of [module, ...module.children.allSuites()]) {
    if (suite.errors().length > 0) fail(tally, placeOf(suite), suite.errors());
  }
  for (const test of module.children.allTests()) countTest(test, tally);
}

function fail(tally: Tally, place: string, errors: readonly { readonly message: string }[]): void {
  tally.failed += 1;
  tally.failures.push(`failed: ${lineOf(place, errors)}`);
}

function lineOf(place: string, errors: readonly { readonly message: string }[]): string {
  const [message = 'it did not finish'] = errors.map(({ message: text }) => text.split('\n')[0]);
  return `${place}: ${message}`;
}

function placeOf(task: TestCase | TestModule | TestSuite): string {
  if (task.type === 'module') return relative(process.cwd(), task.moduleId);
  return `${relative(process.cwd(), task.module.moduleId)} > ${task.fullName}`;
}

function countTest(test: TestCase, tally: Tally): void {
  const result = test.result();
  if (result.state === 'passed') {
    tally.passed += 1;
    if (result.errors)
      tally.passedAgain.push(`passed again: ${lineOf(placeOf(test), result.errors)}`);
  } else if (result.state === 'skipped') {
    tally.skipped += 1;
    const reason = result.note ?? 'no reason given';
    tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1);
  } else {
    // One that never finished has not passed.
    fail(tally, placeOf(test), result.state === 'failed' ? result.errors : []);
  }
}

function closingLines(tally: Tally, exitCode: number): string {
  const { passed, failed, skipped, reasons, failures, passedAgain } = tally;
  const atLeast = exitCode === 0 ? 0 : 1;
  return [
    ...[...reasons].map(([reason, count]) => `${count} skipped: ${reason}`),
    ...passedAgain.slice(0, mostNamed),
    ...failures.slice(0, mostNamed),
    ...(failures.length > mostNamed ? [`failed: ${failures.length - mostNamed} more`] : []),
    `${passed} passed, ${Math.max(failed, atLeast)} failed, ${skipped} skipped`,
    '',
  ].join('\n');
}
