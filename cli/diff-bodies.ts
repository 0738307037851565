import type { NodeStatus, PathStatus, ProtocolStatus, Status } from '../api/schema/status.js';
import { byteToRttNs, byteToState } from '../api/schema/v1/matrix-bytes.js';
import { decodeMatrix, shownStates } from '../api/schema/v1/matrix-cells.js';
import type { NodeMatrix, ZoneMatrix } from '../api/schema/v1/matrix.js';
import { troublesOf } from '../api/schema/v1/path-words.js';
import { addressesOf, protocolState } from './view/plane-state.js';

/** One difference between both bodies. */
export type Change =
  | { readonly type: 'added' | 'removed'; readonly subject: string }
  | {
      readonly type: 'state';
      readonly subject: string;
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly type: 'rtt';
      readonly subject: string;
      readonly beforeNs: number;
      readonly afterNs: number;
    };

/** A saved body and its kind. */
export type SavedBody =
  | { readonly kind: 'status'; readonly body: Status }
  | { readonly kind: 'matrix by zone'; readonly body: ZoneMatrix }
  | { readonly kind: 'matrix by node'; readonly body: NodeMatrix };

/**
 * What is compared: a state, and an RTT with its usual range. An RTT inside the range counts as
 * unchanged.
 */
interface Fact {
  readonly state?: string;
  readonly rttNs?: number | undefined;
  readonly lowNs?: number | undefined;
  readonly highNs?: number | undefined;
}

/**
 * Returns what changed from one body to the other. An RTT has changed if each median lies outside
 * the other's range.
 * @throws RangeError if the bodies differ in kind, or are not about the same paths
 */
export function diffBodies(before: SavedBody, after: SavedBody): Change[] {
  if (before.kind !== after.kind) {
    throw new RangeError(
      `expected two bodies of one kind, got a ${before.kind} and a ${after.kind}`,
    );
  }
  const [a, b] = [subjectOf(before), subjectOf(after)];
  if (a !== b) throw new RangeError(`expected two matrices of the same paths, got ${a} and ${b}`);
  return diffFacts(factsOf(before), factsOf(after));
}

function subjectOf({ kind, body }: SavedBody): string {
  if (kind === 'status') return '';
  return `${body.plane ?? 'any plane'} by ${body.protocol ?? 'any protocol'}`;
}

function diffFacts(before: ReadonlyMap<string, Fact>, after: ReadonlyMap<string, Fact>): Change[] {
  const changes: Change[] = [];
  for (const [subject, old] of before) {
    const now = after.get(subject);
    if (!now) changes.push({ type: 'removed', subject });
    else if (old.state !== now.state) {
      changes.push({ type: 'state', subject, before: old.state ?? '', after: now.state ?? '' });
    } else if (hasMoved(old, now)) {
      changes.push({ type: 'rtt', subject, beforeNs: old.rttNs ?? 0, afterNs: now.rttNs ?? 0 });
    }
  }
  for (const subject of after.keys()) {
    if (!before.has(subject)) changes.push({ type: 'added', subject });
  }
  return withoutParts(changes);
}

/** Leaves out the paths of a node that was itself added or removed. */
function withoutParts(changes: readonly Change[]): Change[] {
  const whole = new Set(
    changes
      .filter(({ type }) => type === 'added' || type === 'removed')
      .map(({ subject }) => subject),
  );
  return changes.filter(({ type, subject }) => {
    const [owner = ''] = subject.split(separator);
    return !((type === 'added' || type === 'removed') && owner !== subject && whole.has(owner));
  });
}

/** Separates a node from its path. No name contains this character. */
export const separator = '\u0000';

function hasMoved(a: Fact, b: Fact): boolean {
  return isOutside(a.rttNs, b) && isOutside(b.rttNs, a);
}

function isOutside(rttNs: number | undefined, { lowNs, highNs }: Fact): boolean {
  if (rttNs === undefined || lowNs === undefined || highNs === undefined) return false;
  return rttNs < lowNs || rttNs > highNs;
}

function factsOf({ kind, body }: SavedBody): Map<string, Fact> {
  switch (kind) {
    case 'status':
      return new Map(body.nodes.flatMap(nodeFacts));
    case 'matrix by zone':
      return zoneFacts(body);
    case 'matrix by node':
      return cellFacts(body);
  }
}

function nodeFacts(node: NodeStatus): [string, Fact][] {
  const planes = [
    ...addressesOf(node.host).map((path) => ['host', path] as const),
    ...addressesOf(node['health-endpoint']).map((path) => ['endpoint', path] as const),
  ];
  return [
    [node.name, { state: node.lifecycle?.phase ?? 'active' }],
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
  return {
    state: troubles.length > 0 ? troubles.join(' and ') : state,
    rttNs: protocol?.p50,
    lowNs: protocol?.min,
    highNs: protocol?.max,
  };
}

function zoneFacts({ zones, cells }: ZoneMatrix): Map<string, Fact> {
  const nameOf = (zone: string) => (zone === '' ? '(no zone)' : zone);
  return new Map<string, Fact>([
    ...zones.map((zone) => [`zone ${nameOf(zone)}`, {}] as const),
    ...cells.map(({ from, to, failing, lossy, slow, unknown, p50Ns, p99Ns }) => {
      const fact = {
        state: `${failing} failing, ${lossy} lossy, ${slow} slow, ${unknown} unknown`,
        rttNs: p50Ns,
        // A cell has no minimum. A median below half of the old one counts as a change.
        lowNs: p50Ns === undefined ? undefined : p50Ns / 2,
        // Where too few paths tell the 99th percentile, a median above the double counts as one, too.
        highNs: p99Ns ?? (p50Ns === undefined ? undefined : p50Ns * 2),
      };
      return [`${nameOf(from)} -> ${nameOf(to)}`, fact] as const;
    }),
  ]);
}

function cellFacts(matrix: NodeMatrix): Map<string, Fact> {
  const cells = decodeMatrix(matrix);
  const states = shownStates(cells);
  const { rtts } = cells;
  const facts = new Map<string, Fact>(
    [...new Set([...matrix.rows, ...matrix.columns])].map((name) => [name, {}]),
  );
  for (const [row, from] of matrix.rows.entries()) {
    for (const [column, to] of matrix.columns.entries()) {
      const at = row * matrix.columns.length + column;
      const rttNs = byteToRttNs(rtts[at] ?? 0);
      const isKnown = rttNs !== undefined;
      // A cell has no range of its own. An RTT of more than twice or less than half counts as a
      // change.
      facts.set(`${from}${separator}-> ${to}`, {
        state: byteToState(states[at] ?? 0),
        rttNs,
        lowNs: isKnown ? rttNs / 2 : undefined,
        highNs: isKnown ? rttNs * 2 : undefined,
      });
    }
  }
  return facts;
}
