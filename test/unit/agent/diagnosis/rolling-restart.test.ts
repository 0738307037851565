import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { RowPath } from '../../../../agent/model/row.js';
import { Random } from '../../../fuzz/random.js';
import { inputOf } from '../../../sim/diagnosis/noise-rows.js';
import { n, namesOf, watching } from './cluster.js';
import { failing, isOn, type Which } from './paths.js';

const nodes = 12;
const names = Array.from({ length: nodes }, (_, node) => `c/n${node + 1}`);
const everyS = 15;
const firstAtS = 20;

/**
 * All agents except the local one are restarted one after the other. Each is away for a few
 * seconds.
 */
function restart(seed: number, awayS: number) {
  const random = new Random(seed);
  const goneAt = names.map((_, node) => (node === 0 ? Infinity : firstAtS + everyS * node));
  // Each observer notices the closed port, and later the new agent, with its own next GET.
  const seenAfterS = names.map(() => names.map(() => 0.4 + 2 * random.next()));
  const backAfterS = names.map(() => names.map(() => 0.2 + 2 * random.next()));
  const stateOf = (second: number) => (observer: number, target: number, channel: number) => {
    const at = second - (goneAt[target] ?? Infinity);
    const seen = seenAfterS[observer]?.[target] ?? 0;
    const back = awayS + (backAfterS[observer]?.[target] ?? 0);
    const isRestarting = channel === 1 && at > seen && at < back;
    // A new agent knows nothing about any node.
    const isNew =
      second > (goneAt[observer] ?? Infinity) && second < (goneAt[observer] ?? 0) + awayS + 2;
    if (isNew) return { state: 'unknown', ageSeconds: 1 } satisfies Partial<RowPath>;
    return isRestarting
      ? ({ state: 'unreachable', ageSeconds: at - seen, failure: 'refused' } as const)
      : undefined;
  };
  const found = new Set<string>();
  let previous: DiagnosisOutput | undefined;
  const cluster = { names, zones: names.map(() => undefined) };
  for (let second = 0; second < firstAtS + everyS * (nodes + 1); second += 0.5) {
    const input = inputOf(cluster, stateOf(second), { second, random, previous });
    const heard = names.flatMap((name, node): [string, number][] => {
      const at = second - (goneAt[node] ?? Infinity);
      const isAway = at > 0 && at < awayS;
      return node === 0 ? [] : [[name, isAway ? at * 1000 : at < awayS + 5 && at > 0 ? 200 : 2000]];
    });
    previous = diagnose({ ...input, heardMsAgo: new Map(heard) });
    for (const { id } of previous.findings) found.add(id);
  }
  return [...found];
}

describe('a rolling restart of all agents', () => {
  it.each([1, 2, 3, 4])('is no finding where each is back within seconds (seed %i)', (seed) => {
    expect(restart(seed, 3)).toEqual([]);
  });

  it('is a finding about each agent that does not come back', () => {
    expect(restart(1, 60)).toContain('agent:c/n12');
  });

  it.each([
    { beside: 'alone', size: 40, off: [] },
    { beside: 'beside a zone that is off', size: 100, off: namesOf(100).slice(65) },
  ])(
    'takes no agent that is away for one whose GETs fail, as the last agents that it asked were away too, $beside',
    ({ size, off }) => {
      const away = n(11);
      // The others are back since.
      const wereAway = [n(8), n(13), n(18), n(22), n(26)];
      const isFailing: Which = ({ from, to, ...on }) =>
        isOn('host', 'http')({ from, to, ...on }) &&
        (to === away || (from === away && wereAway.includes(to)));
      const isOff: Which = ({ to }) => off.includes(to);
      const look = watching(size);
      const kinds = new Set<string>();
      for (let atS = 2; atS < 12; atS += 0.5) {
        // Its last row is from before it ended.
        const ageMs = 1000 * (atS + 3);
        const refused = { ageSeconds: atS, failure: 'refused' } as const;
        const seen = look(atS, {
          zones: namesOf(size).map((name) => (off.includes(name) ? 'b' : 'a')),
          says: (path) =>
            failing(isOff, { ageSeconds: 60 })(path) ??
            failing(isFailing, path.from === away ? { ...refused, ageSeconds: 2 } : refused)(path),
          without: off,
          rows: { [away]: { ageMs, bodyAgeMs: ageMs } },
          input: { heardMsAgo: new Map([[away, ageMs]]) },
        });
        for (const { kind } of seen.findings) kinds.add(kind);
      }
      expect(kinds).toEqual(new Set(['agent-down', ...(off.length > 0 ? ['zones'] : [])]));
    },
  );
});
