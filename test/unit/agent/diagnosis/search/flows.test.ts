import { describe, expect, test } from 'vitest';
import type { RowFlows } from '../../../../../agent/model/row.js';
import { found, makeNodes, n, type PathOf } from '../cluster.js';

/** Two nodes whose paths to each other lose GETs, and what each counts of the flows. */
function between(count: number, flows: (path: PathOf) => RowFlows | undefined) {
  const says = (path: PathOf) => {
    const isTheirs = [path.from, path.to].every((name) => name === n(3) || name === n(7));
    if (!isTheirs || path.protocol !== 'http' || path.plane !== 'host') return undefined;
    const told = flows(path);
    return { state: 'lossy' as const, ...(told && { flows: told }) };
  };
  return found(count, { says }).findings;
}

const six = { tried: 64, failing: 6, sometimes: 0 };

describe('a finding of losses', () => {
  test('says which share of the flows never passes', () => {
    const [finding, ...others] = between(12, ({ from }) => (from === n(3) ? six : undefined));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ kind: 'lossy', flows: { failing: 6, tried: 64 } });
    expect(finding?.text).toBe(
      'the paths between c/n3 (10.0.0.3) and c/n7 (10.0.0.7) lose probes by HTTP at node IPs; ' +
        '6 of 64 flows never pass, the others always: one of about 11 equal paths (5 to 23) is broken, there or back; if both, one of about 21',
    );
  });

  test('adds up what was counted on several paths, and says on how many', () => {
    const [finding] = between(12, ({ from }) => (from === n(3) ? six : { ...six, sometimes: 2 }));
    expect(finding?.flows).toEqual({ failing: 12, tried: 128 });
    expect(finding?.text).toContain(
      '; on 2 paths that were tested 12 of 128 flows never pass, 2 others fail sometimes: one of about 11',
    );
  });

  test('between two nodes opens because of the flows: few lost probes alone may be chance', () => {
    expect(between(12, () => undefined)).toEqual([]);
  });

  test('opens also where one of two directions alone has them', () => {
    const says = ({ from, to, protocol }: PathOf) =>
      from === n(3) && to === n(7) && protocol === 'http'
        ? { state: 'lossy' as const, flows: six }
        : undefined;
    const { findings } = found(12, { says });
    expect(findings).toMatchObject([{ kind: 'lossy', pair: [n(3), n(7)], explains: 2 }]);
    expect(findings[0]?.flows).toEqual({ failing: 12, tried: 128 });
  });

  test('opens in a cluster of two nodes where both see it', () => {
    const nodes = makeNodes(2).map((node) => ({ ...node, endpoint: [] }));
    const saysOf = (flows: RowFlows | undefined) => {
      const says = ({ protocol }: PathOf) =>
        protocol === 'http' ? { state: 'lossy' as const, ...(flows && { flows }) } : undefined;
      return found(2, { nodes, says }).findings;
    };
    expect(saysOf(undefined)).toEqual([]);
    expect(saysOf(six)).toMatchObject([{ kind: 'lossy', flows: { failing: 12, tried: 128 } }]);
  });

  test('does not open by itself for one flow that never passes where others fail too', () => {
    const one = { tried: 64, failing: 1, sometimes: 3 };
    expect(between(200, ({ from }) => (from === n(3) ? one : undefined))).toEqual([]);
  });

  test('says nothing of flows where none was counted', () => {
    const { findings } = found(12, { says: ({ to }) => (to === n(7) ? 'lossy' : undefined) });
    const [finding] = findings;
    expect(finding).toMatchObject({ kind: 'lossy', node: n(7) });
    expect(finding?.flows).toBeUndefined();
    expect(finding?.text).not.toContain('flows');
  });

  test('says nothing of flows where tests of so many paths find some by chance', () => {
    const around7 = (says: (path: PathOf) => RowFlows | undefined) => {
      const { findings } = found(40, {
        says(path) {
          if (path.from !== n(7) && path.to !== n(7)) return undefined;
          const told = path.protocol === 'http' ? says(path) : undefined;
          return { state: 'lossy', ...(told && { flows: told }) };
        },
      });
      expect(findings).toMatchObject([{ kind: 'lossy', node: n(7) }]);
      return findings[0]?.flows;
    };
    const one = { tried: 64, failing: 1, sometimes: 20 };
    expect(around7(({ from }) => (from === n(2) ? one : undefined))).toBeUndefined();
    expect(around7(({ from }) => (from === n(2) ? six : undefined))).toBeDefined();
    expect(around7(() => one)).toEqual({ failing: 156, tried: 156 * 64 });
  });

  test('of another pair does not take these flows', () => {
    const says = (path: PathOf) => {
      if (path.protocol !== 'http') return undefined;
      if (path.from === n(3) && path.to === n(7)) return { state: 'lossy' as const, flows: six };
      return path.to === n(9) ? ('lossy' as const) : undefined;
    };
    const { findings } = found(12, { says });
    const about9 = findings.find(({ node }) => node === n(9));
    expect(about9).toMatchObject({ kind: 'lossy' });
    expect(about9?.flows).toBeUndefined();
  });
});
