import { expect, test } from 'vitest';
import { idsOf, n, namesOf, numberOf, rowsOf, watching, type PathOf } from './cluster.js';
import { failing } from './paths.js';

const nodes = 60;
const sender = n(60);
/** All agents send a GET to each node once in this time. */
const intervalS = 50;
const backS = 70;
/** A third of its GETs have come after this time. */
const thirdS = 20;

/** When the node knows that a path works again: it looks at all of them one after the other. */
const knownS = ({ to, protocol }: PathOf) =>
  protocol === 'icmp' ? backS + 2 : backS + 2 + (intervalS * numberOf(to)) / nodes;

test('a node that can send again is told of no more once a third of its GETs work, though the others are still to come', () => {
  const rows = rowsOf(namesOf(nodes), { ageMs: 0, row: { httpIntervalMs: intervalS * 1000 } });
  const look = watching(nodes);
  const during = new Set<string>();
  const after = new Set<string>();
  for (let atS = 0; atS < backS + intervalS; atS += 1) {
    const fails = (path: PathOf) => path.from === sender && atS < knownS(path);
    const ids = idsOf(look(atS, { says: failing(fails, { ageSeconds: atS }), rows }));
    const seen = atS < backS ? during : after;
    if (atS < backS || atS > backS + thirdS) for (const id of ids) seen.add(id);
  }
  expect([...during]).toEqual([`node:${sender}`]);
  expect([...after]).toEqual([]);
});
