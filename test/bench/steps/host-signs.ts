import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scaledShare } from '../cost-targets.js';
import { nodeStartCpuMs } from '../environment/process-usage.js';
import { logProgress } from '../progress.js';
import { megabytes, short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import type { Bench } from './step.js';

const target = { cpuShare: 0.0005, heldBytes: 1e6 };

interface Result {
  readonly readings: number;
  readonly cpuMs: number;
  /** Of a core, at one reading in ten seconds. */
  readonly share: number;
  readonly heldBytes: number;
  readonly interfaces: number;
  readonly missing: readonly string[];
}

/** Measures what reading the figures of this host costs an agent, in a process that does nothing else. */
export async function measureHostSigns({ programs, report, quick }: Bench): Promise<void> {
  logProgress('host signs: reading the figures of this host');
  // Of the machine itself: a namespace shows less.
  const program = join(programs, 'host-signs.mjs');
  const args = ['--expose-gc', program, quick ? '100' : '400'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const result = JSON.parse(stdout) as Result;
  const nodeStartMs = await nodeStartCpuMs();
  const share = scaledShare(result.share, nodeStartMs);
  report.add('host-signs', { ...result, nodeStartMs });
  const missing = result.missing.length > 0 ? `; not shown here: ${result.missing.join(', ')}` : '';
  report.row({
    promise: `signs and changes of a host, one reading in 10 s (interfaces watched: ${result.interfaces})`,
    target: '<= 0.05 % of a core, <= 1 MB',
    figure: `${(100 * share).toFixed(3)} %, ${megabytes(result.heldBytes)}`,
    beside: `${short(result.cpuMs)} ms a reading; node -e 0: ${short(nodeStartMs)} ms${missing}`,
    result: targetResult(share <= target.cpuShare, result.heldBytes <= target.heldBytes),
  });
}
