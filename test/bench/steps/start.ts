import { startAgent } from '../ground/agent.js';
import { duration } from '../report/numbers.js';
import { verdictOf } from '../report/report.js';
import { summarise } from '../statistics.js';
import type { Stage } from './step.js';

const target = { answersMs: 300, sweptMs: 10_000 };

/** From process start to an answering socket, several times over. */
export async function measureStart(stage: Stage, sweptMs: number): Promise<void> {
  const { ground, agentProgram, agent, nodes, engine, quick, report, title, deadShare } = stage;
  const answered: number[] = [];
  for (let trial = 0; trial < (quick ? 3 : 7); trial++) {
    // A second agent of the same kind; it needs ports of its own beside the one under measurement.
    const flags = ['--probe-port', '4241', '--api-listen', '127.0.0.1:4243'];
    const other = await startAgent(ground, { program: agentProgram, nodes, engine, flags });
    answered.push(other.answeredMs);
    await other.stop();
  }
  const { median, max } = summarise(answered);
  report.add('start', {
    nodes: nodes.length,
    ...{ deadShare, answered, sweptMs },
    firstAnsweredMs: agent.answeredMs,
  });
  report.row({
    promise: `start to an answering socket, ${title}`,
    target: `<= ${duration(target.answersMs)}`,
    figure: `median ${duration(median)}, max ${duration(max)}`,
    verdict: verdictOf(median <= target.answersMs),
  });
  const isPromised = nodes.length === 1000 && deadShare > 0;
  report.row({
    promise: `start to a complete first sweep, ${title}`,
    target: isPromised ? `<= ${duration(target.sweptMs)}` : '',
    figure: duration(sweptMs),
    verdict: isPromised ? verdictOf(sweptMs <= target.sweptMs) : '',
  });
}
