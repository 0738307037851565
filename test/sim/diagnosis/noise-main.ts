import type { Finding } from '../../../agent/diagnosis/finding.js';
import { noiseHour } from './noise.js';
import { readCounts } from './read-counts.js';

const help = `Usage: npm run sim -- noise [--count HOURS] [--seed FIRST]

Runs cluster-hours without a fault by seed, and counts the findings, all of which are false.
`;

const looksPerHour = 360;

/**
 * Prints the findings that noise has caused. The exit code is 1 if more than one finding in 1,000
 * hours opened.
 */
export function noise(argv: readonly string[]): number {
  const options = readCounts(argv, help, { count: 1000, seed: 1 });
  if (!options) return 0;
  const totals = { paths: 0, unreachable: 0, lossy: 0, slow: 0 };
  const opened: { readonly seed: number; readonly finding: Finding }[] = [];
  for (let seed = options.seed; seed < options.seed + options.count; seed++) {
    const hour = noiseHour(seed);
    totals.paths += looksPerHour * hour.nodes * (hour.nodes - 1) * 4;
    totals.unreachable += hour.unreachablePaths;
    totals.lossy += hour.lossyPaths;
    totals.slow += hour.slowPaths;
    opened.push(...hour.opened.map((finding) => ({ seed, finding })));
  }
  const perMillion = (count: number) => ((1e6 * count) / totals.paths).toFixed(1);
  print(`${options.count} cluster-hours without a fault: ${opened.length} false findings`);
  print('of a million paths looked at, so many were so by chance:');
  print(`  unreachable ${perMillion(totals.unreachable)}`);
  print(`  lossy       ${perMillion(totals.lossy)}`);
  print(`  slow        ${perMillion(totals.slow)}`);
  for (const { seed, finding } of opened) print(`seed ${seed}: ${finding.id}: ${finding.text}`);
  return opened.length > Math.max(1, options.count / 1000) ? 1 : 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
