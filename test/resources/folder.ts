import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const make = () => mkdtempSync(join(tmpdir(), 'meshprobe-test-'));
// A program that was ended may still write into it.
const remove = (folder: string) =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

/** Makes a folder that is removed after the test, and after its `afterEach`. For a test or a `beforeEach`. */
export function newFolder(): string {
  const folder = make();
  onTestFinished(() => remove(folder));
  return folder;
}

/** Makes a folder for all tests of a file or of a `describe`. It is removed after them. */
export function useFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}
