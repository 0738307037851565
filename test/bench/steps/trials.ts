import { setTimeout as delay } from 'node:timers/promises';
import { addressesOf, type BenchNode } from '../environment/cluster.js';
import { pathsOf, type PathView } from '../environment/status.js';
import type { Stage } from './step.js';
import { firstSaid, heldSince, verdicts, type Verdict } from './detections.js';

/**
 * The time until the API made each statement about one node, in milliseconds. A statement that came
 * too late is absent.
 */
export type Trial = Partial<Record<Verdict, number>>;

export interface TrialOptions {
  readonly victims: readonly BenchNode[];
  /** What happens to each victim: it is cut off or mended. */
  readonly fate: 'cut' | 'mend';
  /** The statement that ends a trial. The others are recorded too. */
  readonly until: Verdict;
  /** The victims are cut or mended at random moments within this time. */
  readonly withinMs: number;
  /** How long a victim is watched after that. */
  readonly graceMs: number;
}

interface Watched {
  /** When the victim was cut or mended, in epoch milliseconds; NaN before. */
  at: number;
  readonly trial: Trial;
}

/**
 * Cuts or mends one node after the other at random moments and polls the API all the time. The
 * victims are few, so the trials overlap without affecting each other.
 */
export async function runTrials(stage: Stage, options: TrialOptions): Promise<Trial[]> {
  const { victims, fate, until, graceMs } = options;
  const trials = new Map(
    victims.map(({ name }): [string, Watched] => [name, { at: NaN, trial: {} }]),
  );
  const wanted = fate === 'cut' ? 'unreachable' : 'reachable';
  const deal = dealFates(stage, options, (name, at) => {
    const known = trials.get(name);
    if (known) known.at = at;
  });
  // A failure is thrown by the await below. This line avoids an unhandled rejection before it.
  deal.catch(() => undefined);
  const deadline = performance.now() + options.withinMs + graceMs;
  let lastAskedAt = Date.now();
  const isOpen = ({ trial }: Watched): boolean => trial[until] === undefined;
  while ([...trials.values()].some(isOpen) && performance.now() < deadline) {
    const askedAt = Date.now();
    const { body, at } = await stage.agent.status();
    const byNode = groupByNode(pathsOf(body), trials);
    for (const [name, { at: fateAt, trial }] of trials) {
      if (!(fateAt < at)) continue;
      for (const verdict of verdicts) {
        const since = heldSince(verdict, byNode.get(name) ?? [], wanted);
        if (trial[verdict] !== undefined || since === Infinity) continue;
        trial[verdict] = firstSaid(since, Math.max(lastAskedAt, fateAt), at) - fateAt;
      }
    }
    lastAskedAt = askedAt;
    await delay(pollMsFor(stage.nodes.length));
  }
  await deal;
  return [...trials.values()].map(({ trial }) => trial);
}

async function dealFates(
  { environment: ground }: Stage,
  { victims, fate, withinMs }: TrialOptions,
  onFate: (name: string, at: number) => void,
): Promise<void> {
  const moments = victims.map(() => Math.random() * withinMs).sort((a, b) => a - b);
  const started = performance.now();
  for (const [index, victim] of victims.entries()) {
    await delay(Math.max((moments[index] ?? 0) - (performance.now() - started), 0));
    // The time is taken before the command, which takes a few milliseconds. The figure is then
    // never too good.
    const at = Date.now();
    const addresses = addressesOf([victim]);
    await (fate === 'cut' ? ground.cut(addresses) : ground.restore(addresses));
    onFate(victim.name, at);
  }
}

function groupByNode(
  paths: readonly PathView[],
  wanted: ReadonlyMap<string, unknown>,
): Map<string, PathView[]> {
  const byNode = new Map<string, PathView[]>();
  for (const path of paths) {
    if (wanted.has(path.node)) byNode.set(path.node, [...(byNode.get(path.node) ?? []), path]);
  }
  return byNode;
}

/** A large body costs the agent and this process time, so it is requested less often. */
function pollMsFor(nodes: number): number {
  return Math.max(nodes / 5, 50);
}
