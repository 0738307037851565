import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figures, Report } from './report.js';

/** Writes the results of a run to a file and returns its path. */
export async function writeResults(
  folder: string,
  report: Report,
  about: Figures & { readonly startedAt: Date },
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = about.startedAt.toISOString().replaceAll(':', '-').replace(/\..*/, 'Z');
  const path = join(folder, `${name}.json`);
  const { rows, skipped, failed, figures } = report;
  const results = { ...about, finishedAt: new Date(), rows, skipped, failed, figures };
  await writeFile(path, `${JSON.stringify(results, undefined, 2)}\n`);
  return path;
}
