import { describe, expect, it } from 'vitest';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { Finding } from '../../../../agent/diagnosis/nouns/finding.js';
import { n, namesOf, rowsOf, watching } from './cluster.js';
import { failing, isAt, isTo, type Which } from './paths.js';

/** What one fault breaks, and whether its node still tells what it sees. */
interface Fault {
  readonly breaks: Which;
  readonly isMute?: boolean;
}

const faults: Readonly<Record<string, (node: string) => Fault>> = {
  dead: (node) => ({ breaks: isAt(node), isMute: true }),
  'drops GETs': (node) => ({ breaks: isTo(node, 'http') }),
  'drops echoes': (node) => ({ breaks: isTo(node, 'icmp') }),
  'has no endpoint': (node) => ({ breaks: isTo(node, 'endpoint') }),
  'has a dead server': (node) => ({ breaks: isTo(node, 'host', 'http') }),
};
const names = Object.keys(faults);
const pairs = names.flatMap((first) => names.map((second) => [first, second] as const));
/** The order in which the rows with the faults come: the local agent's own is the first. */
const orders = [
  [1, 2, 3, 4],
  [1, 3, 4, 2],
  [1, 4, 2, 3],
];

/** Every half second a row more tells of the faults, until they are old. */
function* looks(two: readonly Fault[], order: readonly number[]): Generator<DiagnosisOutput> {
  const look = watching(4);
  for (let turn = 0; turn < 24; turn++) {
    const telling = new Set(order.slice(0, 1 + turn).map(n));
    const ageSeconds = 1 + turn / 2;
    const mute = [2, 3].flatMap((node, at) => (two[at]?.isMute ? n(node) : []));
    const fails: Which = (path) => telling.has(path.from) && two.some(({ breaks }) => breaks(path));
    const says = failing(fails, { ageSeconds });
    const rows = rowsOf(namesOf(4), (name) => ({
      ageMs: telling.has(name) ? 500 : 1000 + 500 * turn,
      bodyAgeMs: 0,
    }));
    yield look(turn / 2, { says, rows, without: mute });
  }
}

const isOfAll = ({ node, pair, zones, local }: Finding): boolean =>
  node === undefined && pair === undefined && zones === undefined && local !== true;

describe('two faults among four nodes', () => {
  it.each(pairs)('are never one of the whole cluster, nor well for a while: %s, %s', (...kinds) => {
    const two = kinds.map((kind, at) => (faults[kind] as (typeof faults)[string])(n(2 + at)));
    for (const order of orders) {
      let wasBroken = false;
      for (const { findings, unexplained } of looks(two, order)) {
        expect(findings.filter(isOfAll)).toEqual([]);
        const isWell = findings.length === 0 && unexplained === 0;
        expect({ wasBroken, isWell }).not.toEqual({ wasBroken: true, isWell: true });
        wasBroken ||= findings.some(({ severity }) => severity === 'broken');
      }
      expect(wasBroken).toBe(true);
    }
  });
});
