import { expect, it } from 'vitest';
import { clusterOf, namesOf } from './cluster.js';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import { failing } from './paths.js';

const names = namesOf(12);
const zones = names.map((_, at) => 'abcd'[at % 4] ?? '');
const zoneOf = (name: string) => zones[names.indexOf(name)] ?? '';
const isOff = (name: string) => 'cd'.includes(zoneOf(name));

/** What an agent of zone a says, where two of four zones are off and one of the other two does not reach the other one. */
function findingsWith(from: string, to: string) {
  const input = clusterOf(names.length, {
    zones,
    says: failing(
      (path) => isOff(path.to) || (zoneOf(path.from) === from && zoneOf(path.to) === to),
      { ageSeconds: 60 },
    ),
    without: names.filter(isOff),
  });
  return diagnose(input).findings.map(({ id, direction, text }) => ({ id, direction, text }));
}

it.each(['ab', 'ba'])(
  'beside zones that are off it is told between which two zones paths fail: %s',
  ([from = '', to = '']) => {
    const findings = findingsWith(from, to);
    expect(findings.map(({ id }) => id).sort()).toEqual(['zones:a,b', 'zones:c', 'zones:d']);
    expect(findings.find(({ id }) => id === 'zones:a,b')).toMatchObject({
      direction: 'outbound',
      text: expect.stringContaining(`zone ${from} cannot reach zone ${to}`) as string,
    });
  },
);
