import { startAgent, type AgentOptions } from '../environment/agent.js';
import { duration } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { summarise } from '../statistics.js';
import type { Bench, Stage } from './step.js';

const target = { answersMs: 300, sweptMs: 10_000 };

/**
 * Starts agents one after the other on the idle machine. Returns the time that each took to answer.
 */
export async function timeStarts(
  { environment: ground, quick }: Bench,
  options: AgentOptions,
): Promise<number[]> {
  const answeredMs: number[] = [];
  for (let trial = 0; trial < (quick ? 3 : 7); trial++) {
    const agent = await startAgent(ground, options);
    answeredMs.push(agent.answeredMs);
    await agent.stop('SIGKILL');
  }
  return answeredMs;
}

/** Reports the time from process start to an answering socket, and to a complete first sweep. */
export function reportStart(stage: Stage, answeredMs: readonly number[], sweptMs: number): void {
  const { nodes, report, title, deadShare } = stage;
  const { median, max } = summarise(answeredMs);
  report.add('start', { nodes: nodes.length, deadShare, answeredMs, sweptMs });
  report.row({
    promise: `start to an answering socket, ${title}`,
    target: `<= ${duration(target.answersMs)}`,
    figure: `median ${duration(median)}, max ${duration(max)}`,
    result: targetResult(median <= target.answersMs),
  });
  const isPromised = nodes.length === 1000 && deadShare > 0;
  report.row({
    promise: `start to a complete first sweep, ${title}`,
    target: isPromised ? `<= ${duration(target.sweptMs)}` : '',
    figure: duration(sweptMs),
    result: isPromised ? targetResult(sweptMs <= target.sweptMs) : '',
  });
}
