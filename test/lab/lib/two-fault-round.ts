import { setTimeout as delay } from 'node:timers/promises';
import type { Findings } from '../../../api/schema/v1/findings.js';
import { AgentWatch } from './agent-watch.js';
import { KeptReports } from './kept-reports.js';
import type { Mesh } from './start-mesh.js';
import type { Host } from './plan.js';
import type { LabFault } from './fault-kinds.js';
import { getJson } from './unix-socket.js';

/** What happened in one round. Times are monotonic milliseconds. */
export interface Round {
  readonly faults: readonly LabFault[];
  /** The agents that can know, each with what it said. */
  readonly watches: readonly AgentWatch[];
  readonly madeMs: number;
  readonly repairedMs: number;
  /** The files with the reports of agents that were wrong. */
  readonly reports: readonly string[];
}

/** Every agent is asked so often. */
const checkEveryMs = 200;
/** The faults are repaired when all agents have been exactly right for this long. */
const settledMs = 10_000;
const exactDeadlineMs = 120_000;
const closedDeadlineMs = 240_000;
/** A false finding that lasts this long is worth a second report. */
const lastingMs = 3000;

/**
 * Makes faults, follows what all agents say until they are right and stay so, repairs the
 * faults, and follows them until they say nothing. It does not fail if they are wrong: the result
 * says so.
 * @param name the name of the round, for the names of reports
 */
export async function runRound(
  mesh: Mesh,
  faults: readonly LabFault[],
  name: string,
): Promise<Round> {
  const { lab, agents } = mesh;
  const canKnow = (host: Host) =>
    faults.every(({ mute, blind }) => mute !== host.name && blind !== host.name);
  const watches = lab.hosts.filter(canKnow).map((host) => {
    const expected = faults.map((fault) => fault.insteadOn?.(host) ?? fault.expected);
    return new AgentWatch(host, expected);
  });
  const reports = new KeptReports(agents, name);

  async function look(watch: AgentWatch): Promise<void> {
    const asked = getJson(agents.socketPath(watch.host), '/v1/findings');
    // An agent that gets no processor for seconds says nothing. It is asked again.
    const body = (await asked.catch(() => undefined)) as Findings | undefined;
    const nowMs = performance.now();
    if (!body) return;
    for (const { finding, fromMs } of watch.look(body.findings, nowMs)) {
      const wrong = nowMs - fromMs > lastingMs ? `lasting-${finding.id}` : finding.id;
      await reports.keep(watch.host, wrong, nowMs - madeMs);
    }
  }

  async function lookUntil(isDone: () => boolean, deadlineMs: number): Promise<void> {
    const endMs = performance.now() + deadlineMs;
    while (!isDone() && performance.now() < endMs) {
      await Promise.all(watches.map(look));
      await delay(checkEveryMs);
    }
  }

  const repairs = await Promise.all(faults.map((fault) => mesh.make(fault)));
  const madeMs = performance.now();
  const isSettled = () =>
    watches.every((watch) => watch.exactForMs(performance.now()) >= settledMs);
  await lookUntil(isSettled, exactDeadlineMs);
  for (const { host, isExact } of watches) {
    if (!isExact) await reports.keep(host, 'not-right', performance.now() - madeMs);
  }
  await Promise.all(repairs.map((repair) => repair()));
  const repairedMs = performance.now();
  for (const watch of watches) watch.repaired(repairedMs);
  await lookUntil(() => watches.every(({ closedMs }) => closedMs < Infinity), closedDeadlineMs);
  return { faults, watches, madeMs, repairedMs, reports: reports.paths };
}
