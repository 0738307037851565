import { findingSchema } from '../../../../api/schema/v1/findings.js';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
  ObservedRow,
} from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { DiagnosisNode } from '../../../../agent/diagnosis/nouns/diagnosis-node.js';
import type { FailureKind } from '../../../../agent/model/failure.js';
import type { Plane } from '../../../../agent/model/path.js';
import type { RowLarge, RowLargeLoss, RowLargePass } from '../../../../agent/model/row-large.js';
import type { Row, RowPathState, RowFlows } from '../../../../agent/model/row.js';
import type { Protocol } from '../../../../agent/model/sample.js';
import type { RowTarget } from '../../../../agent/model/target.js';
import { makeInput, makeNode, start } from '../../../rows/make-input.js';
import { makeRow, pathsTo } from '../../../rows/make-row.js';

export { start };

export interface PathOf {
  readonly from: string;
  readonly to: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
}

/** What an observer says about a path: nothing if the path works. */
export type Saying =
  | undefined
  | RowPathState
  | {
      readonly state: RowPathState;
      readonly ageSeconds?: number;
      readonly failure?: FailureKind;
      readonly flows?: RowFlows;
      readonly lost?: number;
      readonly answeredSince?: number;
      readonly unheardSeconds?: number;
    };

/** One look of an observer at a target. */
export interface LookOf {
  readonly from: string;
  readonly target: string;
  readonly plane: Plane;
}

/** What is said of a look: nothing if the target is reached, `skip` if the plane is not probed. */
export type LookSaying = undefined | 'skip' | Partial<RowTarget>;

/** What is said of large packets on a path. */
export type LargeSaying = 'passed' | 'untested' | Partial<RowLargeLoss>;

/** In what a row differs from a fresh, healthy one. */
export type RowSaying = Partial<Omit<ObservedRow, 'row'>> & { readonly row?: Partial<Row> };

export interface ClusterOptions {
  /** The zone names of the nodes that have a zone. */
  readonly zones?: readonly string[];
  readonly nodes?: readonly DiagnosisNode[];
  /** The labels by which nodes are grouped. */
  readonly groupBy?: readonly string[];
  readonly says?: (path: PathOf) => Saying;
  /** The rows that differ from a fresh, healthy one. */
  readonly rows?: Readonly<Record<string, RowSaying>>;
  /** What observers say of targets: each is one from both planes; nothing where it is not probed. */
  readonly targets?: readonly string[];
  readonly saysOf?: (look: LookOf) => LookSaying;
  /**
   * What observers say of large packets: that they pass, nothing, or that they are lost; left out, nobody says anything.
   */
  readonly large?: (path: Omit<PathOf, 'protocol'>) => LargeSaying;
  /** Observers without a row. */
  readonly without?: readonly string[];
  readonly input?: Partial<DiagnosisInput>;
}

/** The name of the node with that number, from 1. */
export const n = (number: number) => `c/n${number}`;

/** The names of so many nodes. */
export const namesOf = (count: number) => Array.from({ length: count }, (_, at) => n(at + 1));

/** The number of the node with that name. */
export const numberOf = (name: string) => Number(name.slice('c/n'.length));

/** Rows of these nodes that say the same, or each its own. */
export const rowsOf = (
  names: readonly string[],
  saying: RowSaying | ((name: string) => RowSaying),
): Readonly<Record<string, RowSaying>> =>
  Object.fromEntries(
    names.map((name) => [name, typeof saying === 'function' ? saying(name) : saying]),
  );

/** Rows of nodes that confirmed them at these times, in seconds, and send a GET on each path once in an interval. */
export const confirmedRows = (
  names: readonly string[],
  atS: number,
  confirmedS: (name: string) => number,
  intervalS: number,
) =>
  rowsOf(names, (name) => {
    const ageMs = 1000 * (atS - confirmedS(name));
    return { ageMs, bodyAgeMs: ageMs, row: { httpIntervalMs: 1000 * intervalS } };
  });

/** The row of an agent that is starved: it runs late, so it is no witness. */
export const starvedRow = {
  row: { health: { ready: true, starved: true, notSending: [] } },
} as const satisfies RowSaying;

/** Nodes with an address on each plane. */
export function makeNodes(count: number, zones: readonly string[] = []): DiagnosisNode[] {
  return Array.from({ length: count }, (_, at) => makeNode(n(at + 1), at + 1, { zone: zones[at] }));
}

/**
 * The diagnosis input of a cluster in which everything works except what the options say. The local
 * node is the first.
 */
export function clusterOf(count: number, options: ClusterOptions = {}): DiagnosisInput {
  const nodes = options.nodes ?? makeNodes(count, options.zones);
  const active = nodes.filter(({ phase }) => phase === 'active');
  const without = new Set(options.without);
  const rows = active.flatMap(({ name }): ObservedRow[] => {
    if (without.has(name)) return [];
    const special = options.rows?.[name] ?? {};
    const targets = makeTargets(name, options);
    const large = options.large && makeLarge(name, active, options.large);
    const row = {
      ...rowOf(name, active, options.says),
      ...(targets && { targets }),
      ...(large && { large }),
      ...special.row,
    };
    const ageMs = special.ageMs ?? (name === n(1) ? 0 : 2000);
    return [{ freshness: 'fresh', bodyAgeMs: ageMs, ...special, ageMs, row }];
  });
  return makeInput(nodes, { localName: n(1), rows, ...options.input }, options.groupBy);
}

function rowOf(from: string, nodes: readonly DiagnosisNode[], says: ClusterOptions['says']): Row {
  const others = nodes.filter(({ name }) => name !== from);
  const paths = others.flatMap((node) =>
    pathsTo(node.name, ({ plane, protocol }) => {
      if (node[plane].length === 0) return undefined;
      const said = says?.({ from, to: node.name, plane, protocol });
      const path = typeof said === 'string' ? { state: said } : said;
      const failing = path?.state === 'unreachable' ? { failure: 'timeout' as const } : {};
      return path && { ageSeconds: 60, ...failing, ...path };
    }),
  );
  return makeRow(
    from,
    paths,
    ({ plane }) => others.filter((node) => node[plane].length > 0).length,
  );
}

/** What an observer says of targets: those that it reaches were probed two seconds before its row. */
function makeTargets(from: string, { targets, saysOf }: ClusterOptions): RowTarget[] | undefined {
  return targets?.flatMap((target) =>
    (['host', 'endpoint'] as const).flatMap((plane): RowTarget[] => {
      const said = saysOf?.({ from, target, plane });
      if (said === 'skip') return [];
      const look = { target, digest: 1, plane, probedSeconds: 2 };
      if (said === undefined) return [{ ...look, state: 'reachable', ageSeconds: 3600 }];
      const failing = { state: 'unreachable', ageSeconds: 60, failure: 'timeout' } as const;
      const well = { state: 'reachable', ageSeconds: 3600 } as const;
      return [
        {
          ...look,
          ...(said.state === undefined || said.state === 'unreachable' ? failing : well),
          ...said,
        },
      ];
    }),
  );
}

function makeLarge(
  from: string,
  nodes: readonly DiagnosisNode[],
  says: NonNullable<ClusterOptions['large']>,
): RowLarge {
  const lost: RowLargeLoss[] = [];
  const passed: RowLargePass[] = [];
  for (const { name: node, endpoint } of nodes) {
    for (const plane of ['host', 'endpoint'] as const) {
      if (node === from || (plane === 'endpoint' && endpoint.length === 0)) continue;
      const said = says({ from, to: node, plane });
      if (said === 'untested') continue;
      if (said === 'passed') passed.push({ node, plane, ageSeconds: 30 });
      else lost.push({ node, plane, ageSeconds: 60, ...said });
    }
  }
  return { lost, passed };
}

/** Diagnoses such a cluster. */
export function found(count: number, options: ClusterOptions = {}): DiagnosisOutput {
  const output = diagnose(clusterOf(count, options));
  // Every output must fit the schema of the API.
  for (const finding of output.findings) findingSchema.parse(finding);
  return output;
}

/** The ids of findings. */
export const idsOf = ({ findings }: DiagnosisOutput) => findings.map(({ id }) => id);

/** An agent that diagnoses such a cluster again and again: each time it knows what it told the last time. */
export function watching(count: number) {
  let previous: DiagnosisOutput | undefined;
  return (atS: number, options: ClusterOptions = {}): DiagnosisOutput => {
    const input = { now: start + 1000 * atS, previous, ...options.input };
    previous = diagnose(clusterOf(count, { ...options, input }));
    return previous;
  };
}
