import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { duration } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { median } from '../statistics.js';
import type { Stage } from './step.js';

const targetMs = 120;

/** `meshprobe status` from start to exit, in turn with a node that does nothing. */
export async function measureCli(stage: Stage): Promise<void> {
  const { agent, cliProgram, nodes, quick, report, title } = stage;
  const [cliMs, bareMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < (quick ? 5 : 15); round++) {
    bareMs.push(await timeNode(['-e', '0']));
    cliMs.push(await timeNode([cliProgram, 'status', '--host', agent.socketPath]));
  }
  report.add('cli', { nodes: nodes.length, cliMs, bareMs });
  const figureMs = median(cliMs);
  const isPromised = nodes.length === 1000;
  report.row({
    promise: `meshprobe status, cold, ${title}`,
    target: isPromised ? `<= ${duration(targetMs)}` : '',
    figure: `median ${duration(figureMs)}`,
    beside: `node -e 0: ${duration(median(bareMs))}`,
    result: isPromised ? targetResult(figureMs <= targetMs) : '',
  });
}

async function timeNode(args: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`node ${args.join(' ')}: exit code ${code}`);
  return performance.now() - startedMs;
}
