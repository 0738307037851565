import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import { clusterOf, n, numberOf, type PathOf, type Saying } from '../cluster.js';

const size = 100;
/** The node that some others do not reach. */
const some = 50;

const distance = ({ from, to }: PathOf) => (numberOf(to) - numberOf(from) + size) % size;
const isYoung = { state: 'unreachable', ageSeconds: 5 } as const;
const isFromTenth = (path: PathOf) =>
  numberOf(path.to) === some && distance(path) % 10 === 0 && distance(path) > 0;

/** Nine others do not reach the node, and everybody gets no echo back from so many others and loses some to so many more. */
function foundBeside(failing: number, lossy: number) {
  const says = (path: PathOf): Saying => {
    if (isFromTenth(path)) return isYoung;
    if (path.plane !== 'host' || path.protocol !== 'icmp') return undefined;
    if (distance(path) <= failing) return isYoung;
    return distance(path) <= failing + lossy ? 'lossy' : undefined;
  };
  const { findings } = diagnose(clusterOf(size, { says }));
  return findings.filter(({ severity }) => severity === 'broken').map(({ id }) => id);
}

describe('a node that some do not reach', () => {
  it('is found where the others are well', () => {
    expect(foundBeside(0, 0)).toEqual([`node:${n(some)}`]);
  });

  it('is not where each other one fails for some too', () => {
    expect(foundBeside(3, 0)).toEqual([]);
  });

  it('is not where each other one fails for some too, though losses are why', () => {
    expect(foundBeside(3, 10)).toEqual([]);
  });
});
