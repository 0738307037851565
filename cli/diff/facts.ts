import type { NodeStatus, PathStatus, ProtocolStatus } from '../../api/schema/status.js';
import { byteToRttNs, byteToState, type CellState } from '../../api/schema/v1/matrix-bytes.js';
import { decodeMatrix, shownStates } from '../../api/schema/v1/matrix-cells.js';
import type { NodeMatrix, ZoneCell, ZoneMatrix } from '../../api/schema/v1/matrix.js';
import { troublesOf } from '../../api/schema/v1/path-words.js';
import { addressesOf, protocolState } from '../view/plane-state.js';
import type { Condition } from './effect.js';

/** What is compared of one node, path, cell or zone. */
export interface Fact {
  /** In words; empty for what is there or not, and has no state. */
  readonly state: string;
  /** What the state means: of one path, or of a cell of zones how many pairs fail, and so on. */
  readonly meaning: Condition | readonly number[];
  readonly rtt?: Rtt | undefined;
}

/** A median of enough round trips to be compared. */
export interface Rtt {
  readonly ns: number;
  /** Round trips of two channels are not compared. */
  readonly channel: string;
  /** Nor has it changed within the range of the round trips of which it is the median, if that is known. */
  readonly range?: { readonly lowNs: number; readonly highNs: number };
}

/** Separates a node from its path. No name contains this character. */
export const separator = '\u0000';

/** Before the node that is probed, in the name of a cell. */
export const arrow = '-> ';

/** A cell of zones has the median of last round trips, one a pair: of few pairs it says little. */
const minZonePairs = 16;

/** The nodes of a status and their paths, by their names. */
export function nodeFacts(node: NodeStatus): [string, Fact][] {
  const planes = [
    ...addressesOf(node.host).map((path) => ['host', path] as const),
    ...addressesOf(node['health-endpoint']).map((path) => ['endpoint', path] as const),
  ];
  return [
    [node.name, { state: node.lifecycle?.phase ?? 'active', meaning: 'not judged' }],
    ...planes.flatMap(([plane, path]) =>
      pathFacts(`${node.name}${separator}${plane} ${path.ip}`, path),
    ),
  ];
}

function pathFacts(subject: string, { icmp, http }: PathStatus): [string, Fact][] {
  return [
    [`${subject} ICMP`, protocolFact(icmp)],
    [`${subject} HTTP`, protocolFact(http)],
  ];
}

function protocolFact(protocol: ProtocolStatus | null | undefined): Fact {
  const state = protocol?.state ?? protocolState(protocol);
  const troubles = protocol && state === 'reachable' ? troublesOf(protocol) : [];
  const { p50: ns, p95, min: lowNs, max: highNs } = protocol ?? {};
  // The 95th percentile is left out where the round trips are too few.
  const isUsual = p95 !== undefined && lowNs !== undefined && highNs !== undefined;
  const range = isUsual ? { lowNs, highNs } : undefined;
  const rtt = ns === undefined || !range ? undefined : { ns, channel: '', range };
  if (troubles.length > 0) return { state: troubles.join(' and '), meaning: 'impaired', rtt };
  const meanings = { reachable: 'works', unreachable: 'fails', unknown: 'not known' } as const;
  return { state, meaning: meanings[state], rtt };
}

/** The zones of a matrix, or the values of its label, and its cells. */
export function zoneFacts({ by = 'zone', zones, cells }: ZoneMatrix): [string, Fact][] {
  const nameOf = (zone: string) => (zone === '' ? `(no ${by})` : zone);
  return [
    ...zones.map((zone): [string, Fact] => [
      `${by} ${nameOf(zone)}`,
      { state: '', meaning: 'not judged' },
    ]),
    ...cells.map((cell): [string, Fact] => [
      `${nameOf(cell.from)} -> ${nameOf(cell.to)}`,
      zoneFact(cell),
    ]),
  ];
}

function zoneFact({ failing, lossy, slow, unknown, pairs, p50Ns, ...channel }: ZoneCell): Fact {
  const isCompared = p50Ns !== undefined && pairs >= minZonePairs;
  const ofChannel = `${channel.plane ?? ''} ${channel.protocol ?? ''}`;
  return {
    state: `${failing} failing, ${lossy} lossy, ${slow} slow, ${unknown} unknown`,
    meaning: [failing, lossy, slow, unknown],
    rtt: isCompared ? { ns: p50Ns, channel: ofChannel } : undefined,
  };
}

const meaningOfCell: Readonly<Record<CellState, Condition>> = {
  'no-report': 'not known',
  unknown: 'not known',
  reachable: 'works',
  'lossy-or-slow': 'impaired',
  unreachable: 'fails',
  excluded: 'not judged',
};

/** The nodes of a matrix and its cells. */
export function cellFacts(matrix: NodeMatrix): [string, Fact][] {
  const cells = decodeMatrix(matrix);
  const states = shownStates(cells);
  const { rtts, channels, few } = cells;
  const names = [...new Set([...matrix.rows, ...matrix.columns])];
  const facts = names.map((name): [string, Fact] => [name, { state: '', meaning: 'not judged' }]);
  for (const [row, from] of matrix.rows.entries()) {
    for (const [column, to] of matrix.columns.entries()) {
      const at = row * matrix.columns.length + column;
      const state = byteToState(states[at] ?? 0);
      const ns = byteToRttNs(rtts[at] ?? 0);
      const channel = String(channels?.[at] ?? 0);
      const rtt = ns === undefined || few?.[at] ? undefined : { ns, channel };
      facts.push([
        `${from}${separator}${arrow}${to}`,
        { state, meaning: meaningOfCell[state], rtt },
      ]);
    }
  }
  return facts;
}
