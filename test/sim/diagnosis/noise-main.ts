import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { noiseHour, type NoiseHour } from './noise.js';
import { registerTask, runSeeds } from '../lib/run-seeds.js';
import { print, readCounts, readWholeNumber } from './read-counts.js';

const help = `Usage: npm run sim -- noise [--count HOURS] [--seed FIRST] [--jobs N]

Runs cluster-hours without a fault by seed, and counts the findings, all of which are false.
`;

const looksPerHour = 360;

registerTask('noise', (seed: number) => noiseHour(seed));

/**
 * Prints the findings that noise has caused. The exit code is 1 if more than one finding in 1,000
 * hours opened.
 */
export async function noise(argv: readonly string[]): Promise<number> {
  const more = { jobs: { type: 'string', default: '1' } } as const;
  const options = readCounts(argv, help, { count: 1000, seed: 1 }, more);
  if (!options) return 0;
  const { seed: first, count } = options;
  const jobs = readWholeNumber('--jobs', options.jobs ?? '');
  const totals = { paths: 0, unreachable: 0, lossy: 0, slow: 0 };
  const opened: { readonly seed: number; readonly finding: Finding }[] = [];
  let seed = first;
  const seeds = { task: 'noise', seed: first, count, jobs, options: undefined };
  for await (const hour of runSeeds<NoiseHour>(seeds)) {
    totals.paths += looksPerHour * hour.nodes * (hour.nodes - 1) * 4;
    totals.unreachable += hour.unreachablePaths;
    totals.lossy += hour.lossyPaths;
    totals.slow += hour.slowPaths;
    for (const finding of hour.opened) opened.push({ seed, finding });
    seed++;
  }
  const perMillion = (count: number) => ((1e6 * count) / totals.paths).toFixed(1);
  print(`${count} cluster-hours without a fault: ${opened.length} false findings`);
  print('paths that were so by chance, of a million:');
  print(`  unreachable ${perMillion(totals.unreachable)}`);
  print(`  lossy       ${perMillion(totals.lossy)}`);
  print(`  slow        ${perMillion(totals.slow)}`);
  for (const { seed, finding } of opened) print(`seed ${seed}: ${finding.id}: ${finding.text}`);
  return opened.length > Math.max(1, count / 1000) ? 1 : 0;
}
