import type {
  DiagnosisInput,
  DiagnosisOutput,
  ObservedRow,
} from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { Row } from '../../../agent/model/row.js';
import type { Random } from '../../fuzz/random.js';
import { makeInput, makeNode, start } from '../../rows/make-input.js';
import { freshRow, makeRow, pathsTo, type PathTold } from '../../rows/make-row.js';

export interface NoiseCluster {
  readonly names: readonly string[];
  readonly zones: readonly (string | undefined)[];
}

/** What an observer sees of a target on a channel; undefined where it is well. */
export type StateOf = (observer: number, target: number, channel: number) => PathTold | undefined;

interface Look {
  readonly second: number;
  readonly random: Random;
  readonly previous: DiagnosisOutput | undefined;
}

/**
 * The diagnosis input of the first node's agent: a row of each other node, up to five seconds old.
 */
export function inputOf(
  cluster: NoiseCluster,
  stateOf: StateOf,
  { second, random, previous }: Look,
): DiagnosisInput {
  const rows = cluster.names.map((_, node) =>
    freshRow(rowOf(cluster, node, stateOf), node === 0 ? 0 : 5000 * random.next()),
  );
  return inputOfRows(cluster, rows, { second, previous });
}

/** The row of an observer now. */
export function rowOf({ names }: NoiseCluster, observer: number, stateOf: StateOf): Row {
  const paths = names.flatMap((node, to) =>
    to === observer ? [] : pathsTo(node, (_, channel) => stateOf(observer, to, channel)),
  );
  return makeRow(names[observer] ?? '', paths, names.length - 1);
}

/** The diagnosis input of the first node's agent, with these rows. */
export function inputOfRows(
  { names, zones }: NoiseCluster,
  rows: readonly ObservedRow[],
  { second, previous }: Omit<Look, 'random'>,
): DiagnosisInput {
  const nodes = names.map((name, node) => makeNode(name, node + 1, { zone: zones[node] }));
  return makeInput(nodes, { rows, previous, now: start + 1000 * second });
}
