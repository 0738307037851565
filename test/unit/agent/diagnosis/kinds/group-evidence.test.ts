import { describe, expect, test } from 'vitest';
import { isAtEnd } from '../../../../../agent/diagnosis/kinds/finding-ends.js';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import type { RowChange, RowSign } from '../../../../../agent/model/row-host.js';
import { found, makeNodes, n, start, type PathOf } from '../cluster.js';
import { makeChange, makeSign } from '../../../../rows/make-host.js';

const newKernel = [2, 5, 7, 12];
const nodes = makeNodes(12).map((node, at) => ({
  ...node,
  labels: { kernel: newKernel.includes(at + 1) ? '6.8.0-45' : '6.8.0-31' },
}));
const isNew = (name: string) => newKernel.some((number) => n(number) === name);
const echoes = ({ to, protocol }: PathOf) =>
  isNew(to) && protocol === 'icmp' ? 'unreachable' : undefined;

const upgrade = makeChange({ change: 'kernel', about: 'kernel', from: '6.8.0-31', to: '6.8.0-45' });
const full = makeSign();

interface Told {
  readonly signs?: readonly RowSign[];
  readonly changes?: readonly RowChange[];
}

/** The findings of some seconds later, when all that was to open has opened: echoes to a group fail for a minute. */
function settled(told: Readonly<Record<number, Told>>, without: readonly string[] = []) {
  const rows = Object.fromEntries(
    Object.entries(told).map(([node, row]) => [n(Number(node)), { row, bodyAgeMs: 0, ageMs: 0 }]),
  );
  const options = { nodes, groupBy: ['kernel'], says: echoes, rows, without };
  const previous = found(12, options);
  const input = { previous, now: start + 11_000, wallOffsetMs: -1000 };
  return found(12, { ...options, input }).findings;
}

test('a node is at an end of a finding of its group, and of no other', () => {
  const [finding] = settled({});
  const index = indexCluster(nodes, ['kernel']);
  const isAt = (number: number) => finding !== undefined && isAtEnd(finding, n(number), index);
  expect([2, 12, 1, 13].map(isAt)).toEqual([true, true, false, false]);
});

describe('a finding of a group', () => {
  test('tells a change once, at the node that had it nearest, with how many of its nodes had it', () => {
    const later = { ...upgrade, ageSeconds: 65 };
    const findings = settled({
      2: { changes: [upgrade] },
      5: { changes: [later] },
      7: { changes: [upgrade] },
      1: { changes: [upgrade] },
    });
    expect(findings.map(({ kind }) => kind)).toEqual(['group']);
    expect(findings[0]?.changes).toMatchObject([
      {
        node: n(5),
        change: 'kernel',
        text: 'the kernel went from 6.8.0-31 to 6.8.0-45 (such a change on 3 of its 4 nodes)',
        sharedBy: { nodes: 3, of: 4 },
      },
    ]);
    expect(findings[0]?.changes).toHaveLength(1);
  });

  test('tells what was found after it began, or long before, of none of its nodes', () => {
    const [after, before] = [40, 60 + 320].map((ageSeconds) => ({ ...upgrade, ageSeconds }));
    const findings = settled({
      2: { changes: [after as RowChange] },
      5: { changes: [before as RowChange] },
    });
    expect(findings[0]?.changes).toBeUndefined();
  });

  test('says of how many of its nodes nothing is known', () => {
    const findings = settled({ 2: { changes: [upgrade] } }, [n(7)]);
    expect(findings[0]?.changes?.[0]?.text).toBe(
      'the kernel went from 6.8.0-31 to 6.8.0-45 (such a change on 1 of 3 of its nodes; of 1 it is not known)',
    );
  });

  test('tells at most four changes, the nearest first', () => {
    const changes = ['a', 'b', 'c'].map((about, at) => ({
      ...upgrade,
      about,
      ageSeconds: 90 - at,
    }));
    const others = ['d', 'e'].map((about, at) => ({ ...upgrade, about, ageSeconds: 75 - at }));
    const findings = settled({ 2: { changes }, 5: { changes: [...others, ...changes] } });
    expect(findings[0]?.changes?.map(({ node, sharedBy }) => [node, sharedBy?.nodes])).toEqual([
      [n(5), 1],
      [n(5), 1],
      [n(2), 2],
      [n(2), 2],
    ]);
  });

  test('tells a failure that most of its nodes show, and that is no finding of its own then', () => {
    const findings = settled({ 2: { signs: [full] }, 5: { signs: [full] }, 12: { signs: [full] } });
    expect(findings.map(({ kind }) => kind)).toEqual(['group']);
    expect(findings[0]?.signs).toMatchObject([
      {
        sign: 'conntrack-full',
        text: 'conntrack table full (10 of 10) (this sign on 3 of its 4 nodes)',
        sharedBy: { nodes: 3, of: 4 },
      },
    ]);
  });

  test('leaves a failure that few of its nodes show a finding of its own', () => {
    const findings = settled({ 2: { signs: [full] }, 5: { signs: [full] }, 6: { signs: [full] } });
    expect(findings.map(({ kind, node }) => [kind, node])).toEqual([
      ['group', undefined],
      ...[2, 5, 6].map((node) => ['host-sign', n(node)]),
    ]);
    expect(findings[0]?.signs).toMatchObject([{ sharedBy: { nodes: 2, of: 4 } }]);
  });

  test('goes on with the node that it named while another one is hardly nearer', () => {
    const say = (
      ages: readonly [number, number],
      now: number,
      previous?: ReturnType<typeof found>,
    ) =>
      found(12, {
        nodes,
        groupBy: ['kernel'],
        says: echoes,
        rows: Object.fromEntries(
          ages.map((ageSeconds, at) => [
            n(newKernel[at] ?? 0),
            { row: { changes: [{ ...upgrade, ageSeconds }] }, bodyAgeMs: 0, ageMs: 0 },
          ]),
        ),
        input: { previous, now, wallOffsetMs: start - now },
      });
    const first = say([80, 81], start);
    const second = say([80, 81], start + 1000, first);
    const third = say([82, 81], start + 1000, second);
    expect(second.findings[0]?.changes?.[0]?.node).toBe(n(2));
    expect(third.findings[0]?.changes).toEqual(second.findings[0]?.changes);
  });
});
