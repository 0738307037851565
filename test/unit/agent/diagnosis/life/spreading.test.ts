import { describe, expect, it } from 'vitest';
import { isSpreading, mayBeFirstPart } from '../../../../../agent/diagnosis/life/spreading.js';
import type { Ways } from '../../../../../agent/diagnosis/nouns/cause.js';
import { endpointHttpMask } from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { n, namesOf, numberOf, rowsOf, type PathOf, type Saying } from '../cluster.js';
import { explainedIn } from '../explained.js';
import { isAt, isOn, isTo } from '../paths.js';

const endpointHttp = 3;
const mask = 1 << endpointHttp;

/** On one channel of the paths to a zone: so many fail, work for sure, and are told. */
const zone = (bad: number, probed: number, reported = 780) => ({
  bad: [0, 0, 0, bad],
  probed: [0, 0, 0, probed],
  well: [0, 0, 0, probed],
  reported: [0, 0, 0, reported],
});

const isPart = (side: ReturnType<typeof zone>, own: number, isSent = false) =>
  isSpreading(side, [0, 0, 0, own], mask, isSent);

describe('what fails around a cause', () => {
  it('may be more of it where most of the others that were probed fail too', () => {
    expect(isPart(zone(39, 10), 12)).toBe(true);
    expect(isPart(zone(39, 80), 12)).toBe(false);
  });

  it('is what remains without its own paths on that side alone', () => {
    // The node itself fails to reach 54 others, which are no paths to its zone.
    expect(isPart(zone(39, 10), 5)).toBe(true);
    expect(isPart(zone(39, 10), 39)).toBe(false);
  });

  it('is no more where all of it has been probed', () => {
    expect(isPart(zone(39, 10, 49), 12)).toBe(false);
  });

  it('is more already with fewer where it is about what one node sends', () => {
    expect(isPart(zone(39, 80), 12, true)).toBe(true);
  });

  it('is about what a node sends too where it fails both ways', () => {
    // Three of ten nodes see that GETs fail, which began just now for most.
    const says = (path: PathOf): Saying => {
      const fails = isAt(n(3))(path) || numberOf(path.from) % 10 < 3;
      return fails && isOn('endpoint', 'http')(path)
        ? { state: 'unreachable', ageSeconds: 3 }
        : undefined;
    };
    const { explained } = explainedIn(40, { says });
    const isFirst = (ways: Ways) => {
      const [cause] = explained.causes;
      if (!cause) return undefined;
      const subject = { type: 'node', node: 2 } as const;
      const knownChannels = endpointHttpMask;
      const its = { ...cause, subject, ways, knownChannels };
      return mayBeFirstPart(its, explained, 0, []);
    };
    expect(isFirst('in')).toBe(false);
    expect(isFirst('out')).toBe(true);
    expect(isFirst('both')).toBe(true);
  });

  it('is not what a zone explains that is not reached as a whole', () => {
    const zones = Array.from({ length: 40 }, (_, at) => (at < 10 ? 'a' : at < 20 ? 'b' : 'off'));
    const isOff = ({ to }: PathOf) => zones[numberOf(to) - 1] === 'off';
    const without = namesOf(40).slice(20);
    /** Whether a node is, where so many of the others have looked last before it all began. */
    const isFirst = (before: number, hasCut = true) => {
      const early = namesOf(3 + before).slice(3);
      const says = (path: PathOf): Saying =>
        (isOff(path) || isTo(n(3))(path)) && !early.includes(path.from)
          ? { state: 'unreachable', ageSeconds: 3 }
          : undefined;
      const rows = rowsOf(early, { ageMs: 6000 });
      const { explained } = explainedIn(40, { zones, says, without, rows });
      expect(explained.causes.map(({ subject }) => subject.type)).toEqual(['node', 'zones']);
      const [cause] = explained.causes;
      const causes = hasCut ? explained.causes : [];
      return cause && mayBeFirstPart(cause, { ...explained, causes }, 0, []);
    };
    expect(isFirst(5, false)).toBe(true);
    expect(isFirst(5)).toBe(false);
    expect(isFirst(9)).toBe(true);
  });
});
