import type { RowFlows } from '../../../agent/model/row.js';
import { judgeFlows } from '../../../agent/path-tests/flows/flow-counts.js';
import type { Random } from '../../fuzz/random.js';
import type { PathLosses } from './history.js';

const [flows, rounds] = [64, 3];
/** What a test takes, with the time until the tester looks again. */
const testS = 11;
const spreadPerNodeS = 0.192;
const againS = 600;
const resultS = 2 * againS;

/** A path by HTTP that loses probes. */
export interface SuspectPath {
  readonly key: number;
  readonly losses: readonly PathLosses[];
  /** Since when its flows may be tested, in seconds ago. */
  readonly suspectS: number;
}

/** What a path is known to have, and for how many seconds. */
export interface TestedPath {
  readonly flows: RowFlows;
  readonly agoS: number;
}

/**
 * Tests the flows of paths as an agent does: one path at a time, each once in ten minutes, begun at random times.
 * Returns those of which some flows never pass.
 * @param agoS when the row was written
 */
export function testFlows(
  suspects: readonly SuspectPath[],
  nodes: number,
  agoS: number,
  random: Random,
): ReadonlyMap<number, TestedPath> {
  const due = suspects.map((path) => ({
    path,
    atS: path.suspectS - random.next() * nodes * spreadPerNodeS,
  }));
  const known = new Map<number, TestedPath>();
  due.sort((a, b) => b.atS - a.atS);
  let freeS = due[0]?.atS ?? 0;
  while (due.length > 0) {
    const next = due.shift();
    if (!next) break;
    const startS = Math.min(freeS, next.atS);
    const endS = startS - testS;
    if (endS <= 0) break;
    freeS = endS;
    const found = testPath(next.path.losses, endS + agoS, random);
    if (found) known.set(next.path.key, { flows: found, agoS: endS });
    else known.delete(next.path.key);
    const againAt = startS - againS;
    if (againAt <= 0) continue;
    let at = due.length;
    while (at > 0 && (due[at - 1]?.atS ?? 0) < againAt) at--;
    due.splice(at, 0, { path: next.path, atS: againAt });
  }
  for (const [key, { agoS: at }] of known) if (at >= resultS) known.delete(key);
  return known;
}

/** What the agent's own rule makes of 64 flows, tried three times each. */
function testPath(
  losses: readonly PathLosses[],
  atS: number,
  random: Random,
): RowFlows | undefined {
  let [alive, passing] = [1, 1];
  for (const { share, flows: dead, sinceS } of losses) {
    if (sinceS < atS) continue;
    alive *= 1 - dead;
    passing *= 1 - share;
  }
  const failures = new Map<number, number>();
  for (let flow = 0; flow < flows; flow++) {
    let failed = 0;
    if (random.next() >= alive) failed = rounds;
    else if (passing < 1) {
      for (let round = 0; round < rounds; round++) if (random.next() >= passing) failed++;
    }
    failures.set(flow, failed);
  }
  const { result, tried, failing, sometimes } = judgeFlows(failures, rounds);
  return result === 'sticky' ? { tried, failing, sometimes } : undefined;
}
