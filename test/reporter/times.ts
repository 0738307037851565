import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** What one test file took, with the load of its modules and its hooks. */
export interface FileTime {
  readonly project: string;
  readonly file: string;
  readonly ms: number;
}

const slowest = 15;

/** Prints the slowest files of a run, and the sum of the files of each project. */
export class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules.map((module) => ({
      // Vitest gives the only project of a configuration no name.
      project: module.project.name || 'unnamed',
      file: relative(process.cwd(), module.moduleId),
      ms: timeOf(module),
    }));
    if (times.length > 0) process.stdout.write(timesText(times));
  }
}

/** The times as two small tables, with the longest times first. */
export function timesText(times: readonly FileTime[]): string {
  const files = [...times].sort((a, b) => b.ms - a.ms).slice(0, slowest);
  const sums = new Map<string, { files: number; ms: number }>();
  for (const { project, ms } of times) {
    const { files: count, ms: sum } = sums.get(project) ?? { files: 0, ms: 0 };
    sums.set(project, { files: count + 1, ms: sum + ms });
  }
  const projects = [...sums].sort(([, a], [, b]) => b.ms - a.ms);
  return [
    '',
    `Time by file, the slowest ${files.length} of ${times.length}:`,
    ...files.map(({ project, file, ms }) => `${seconds(ms)}  ${project} ${file}`),
    'Time by project, the sum of its files:',
    ...projects.map(([name, { files: count, ms }]) => `${seconds(ms)}  ${name} (files: ${count})`),
    '',
  ].join('\n');
}

function timeOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(10);
}
