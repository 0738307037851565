import { expect, test } from 'vitest';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { clusterOf, n, start, type PathOf, type Saying } from './cluster.js';

const nodes = 60;
const sender = n(60);
/** All agents send a GET to each node once in this time. */
const intervalS = 50;
const backS = 70;
/** A third of its GETs have come after this time. */
const thirdS = 20;

/** When the node knows that a path works again: it looks at all of them one after the other. */
const knownS = ({ to, protocol }: PathOf) =>
  protocol === 'icmp' ? backS + 2 : backS + 2 + (intervalS * Number(to.slice(3))) / nodes;

test('a node that can send again is told of no more once a third of its GETs work, though the others are still to come', () => {
  const rows = Object.fromEntries(
    Array.from({ length: nodes }, (_, at) => [
      n(at + 1),
      { ageMs: 0, row: { httpIntervalMs: intervalS * 1000 } },
    ]),
  );
  let previous: DiagnosisOutput | undefined;
  const during = new Set<string>();
  const after = new Set<string>();
  for (let atS = 0; atS < backS + intervalS; atS += 1) {
    const says = (path: PathOf): Saying =>
      path.from === sender && atS < knownS(path)
        ? { state: 'unreachable', ageSeconds: atS, failure: 'timeout' }
        : undefined;
    const input = { now: start + 1000 * atS, uptimeMs: 3_600_000, previous };
    previous = diagnose(clusterOf(nodes, { says, rows, input }));
    const seen = atS < backS ? during : after;
    if (atS < backS || atS > backS + thirdS) for (const { id } of previous.findings) seen.add(id);
  }
  expect([...during]).toEqual([`node:${sender}`]);
  expect([...after]).toEqual([]);
});
