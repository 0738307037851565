import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { duration } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { median } from '../statistics.js';
import type { Stage } from './step.js';

/** The limit for the CLI's time above that of a bare Node process, by the number of nodes. */
const targetMs: ReadonlyMap<number, number> = new Map([
  [1000, 40],
  [5000, 80],
]);

/** Measures `meshprobe status` from start to exit, alternating with a bare Node process. */
export async function measureCli(stage: Stage): Promise<void> {
  const { agent, cliProgram, nodes, quick, report, title } = stage;
  const [cliMs, bareMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < (quick ? 5 : 15); round++) {
    bareMs.push(await timeNode(['-e', '0']));
    cliMs.push(await timeNode([cliProgram, 'status', '--host', agent.socketPath]));
  }
  report.add('cli', { nodes: nodes.length, cliMs, bareMs });
  const extraMs = median(cliMs) - median(bareMs);
  const allowedMs = targetMs.get(nodes.length);
  report.row({
    promise: `meshprobe status, cold, ${title}`,
    target: allowedMs === undefined ? '' : `<= node -e 0 + ${duration(allowedMs)}`,
    figure: `median ${duration(median(cliMs))}`,
    beside: `node -e 0: ${duration(median(bareMs))}`,
    result: allowedMs === undefined ? '' : targetResult(extraMs <= allowedMs),
  });
}

async function timeNode(args: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`node ${args.join(' ')}: exit code ${code}`);
  return performance.now() - startedMs;
}
