import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import type { NodeLabels } from '../../../../../agent/model/node-labels.js';
import { clusterOf, makeNodes, n, namesOf, numberOf, rowsOf, start } from '../cluster.js';

const nodes = 40;
const zones = Array.from({ length: nodes }, (_, at) => (at < nodes / 2 ? 'a' : 'b'));

/** By when rows were confirmed: the round brings them at different times. The own one is of now. */
const rowAgeMs = (node: number) => (node === 1 ? 0 : 100 + ((node * 37) % 40) * 80);

/** Each path has its verdict at another time, within three seconds after the first ones. */
const verdictS = (from: string, to: string) =>
  1.4 + (3 * (Math.imul(nameHash(`${from} ${to}`), 0x2c1b_3c6d) >>> 0)) / 2 ** 32;

interface Options {
  /** Nodes whose rows come no more. */
  readonly silent?: readonly string[];
  readonly labels?: (node: string) => NodeLabels;
  readonly failure?: 'timeout' | 'refused';
  readonly plane?: 'host' | 'endpoint';
  /** By how much later than others the paths to a node get their verdict. */
  readonly laterS?: (to: string) => number;
  /** Each path is probed by HTTP once in this time. */
  readonly intervalS?: number;
  /** Which channels answered since, as a mask. */
  readonly answeredSince?: number;
}

/** What is told until then, twice a second, while more and more paths to some nodes are known to fail by HTTP. */
function toldUntil(
  untilS: number,
  fails: (to: string) => boolean,
  options: Options = {},
): string[] {
  const { silent = [], labels, failure = 'timeout', laterS = () => 0 } = options;
  const { intervalS = 5, answeredSince } = options;
  const common = {
    nodes: makeNodes(nodes, zones).map((node) => ({
      ...node,
      ...(labels && { labels: labels(node.name) }),
    })),
    ...(labels && { groupBy: ['zone', ...Object.keys(labels(n(1)))] }),
  };
  let previous: DiagnosisOutput | undefined = diagnose(
    clusterOf(nodes, { ...common, input: { now: start } }),
  );
  const told = new Set<string>();
  for (let seconds = 1; seconds <= untilS; seconds += 0.5) {
    const now = start + 1000 * seconds;
    const ageMs = (node: string) =>
      silent.includes(node) ? 1000 * seconds : rowAgeMs(numberOf(node));
    const row = { httpIntervalMs: 1000 * intervalS };
    const rows = rowsOf(namesOf(nodes), (name) => ({ ageMs: ageMs(name), row }));
    const input = clusterOf(nodes, {
      ...common,
      rows,
      input: { now, previous },
      says: ({ from, to, plane, protocol }) => {
        if (plane !== (options.plane ?? 'endpoint') || protocol !== 'http' || !fails(to))
          return undefined;
        const failsForS = seconds - verdictS(from, to) - laterS(to);
        if (failsForS < ageMs(from) / 1000) return undefined;
        const ageSeconds = Math.floor(failsForS);
        const answered = answeredSince !== undefined && { answeredSince };
        return { state: 'unreachable', ageSeconds, failure, ...answered };
      },
    });
    previous = diagnose(input);
    for (const { id } of previous.findings) told.add(id);
  }
  return [...told];
}

describe('a node beside which more and more nodes fail', () => {
  it('is not told for itself where all are about to fail, nor are zones', () => {
    expect(toldUntil(9, () => true)).toEqual(['http-filtered:endpoint']);
  });

  it('is told where the others work', () => {
    expect(toldUntil(9, (to) => to === n(7))).toEqual(['endpoint:c/n7']);
  });
});

describe('a server that hangs in a large cluster, where each path is probed once in minutes', () => {
  it('is told sooner where those who see it say that the rest of the node answered since', () => {
    const options = { intervalS: 250 };
    const isOne = (to: string) => to === n(7);
    expect(toldUntil(6.5, isOne, options)).toEqual([]);
    expect(toldUntil(6.5, isOne, { ...options, answeredSince: 0b0111 })).toEqual(['endpoint:c/n7']);
  });
});

/** Eight nodes of the forty have a kernel of their own. */
const kernelOf = (node: string) => (numberOf(node) % 5 === 2 ? 'new' : 'old');
const isNew = (node: string) => kernelOf(node) === 'new';
const withNew = Array.from({ length: nodes }, (_, at) => n(at + 1)).filter(isNew);
const labels = (node: string) => ({ kernel: kernelOf(node) });

describe('a group of nodes', () => {
  it('is told once each of them is told to fail, though their own rows of before say that they reach the others', () => {
    const options = { labels, silent: withNew, plane: 'host' } as const;
    expect(toldUntil(4, isNew, options)).toEqual([]);
    expect(toldUntil(7, isNew, options)).toEqual(['agent:kernel=new']);
  });

  it('waits for the others where all who see it have one value: it may be a cut between the two', () => {
    const isThird = (node: string) => numberOf(node) % 5 === 4;
    const three = (node: string) => ({ kernel: isThird(node) ? 'third' : kernelOf(node) });
    const third = Array.from({ length: nodes }, (_, at) => n(at + 1)).filter(isThird);
    const options = { labels: three, plane: 'host' } as const;
    expect(toldUntil(7, isNew, { ...options, silent: [...withNew, ...third] })).toEqual([]);
    expect(toldUntil(7, isNew, { ...options, silent: withNew })).toEqual(['agent:kernel=new']);
  });

  it('is told where servers refuse once they can have restarted', () => {
    const options = { labels, silent: withNew, plane: 'host', failure: 'refused' } as const;
    expect(toldUntil(5, isNew, options)).toEqual([]);
    expect(toldUntil(10, isNew, options)).toEqual(['agent:kernel=new']);
  });

  it('is told, and not first one of its nodes of which it is known sooner', () => {
    const [first = '', second = ''] = withNew;
    const laterS = (to: string) => (to === first ? 0 : to === second ? 0.2 : 0.5);
    expect(toldUntil(9, isNew, { labels, laterS })).toEqual(['endpoint:kernel=new']);
  });

  it('is not told where two of its nodes fail: these are', () => {
    const two = withNew.slice(0, 2);
    expect(toldUntil(6, (to) => two.includes(to), { labels })).toEqual(
      two.map((node) => `endpoint:${node}`),
    );
  });
});
