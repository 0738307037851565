import type {
  DiagnosisInput,
  ObservedRow,
} from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { Random } from '../../fuzz/random.js';
import { makeInput, makeNode } from '../../rows/make-input.js';
import { freshRow } from '../../rows/make-row.js';
import { httpIntervalS, timeoutS, type Conditions } from './scenarios/conditions.js';
import { History } from './history.js';
import type { Row } from '../../../agent/model/row.js';
import { LargeWriter } from './large-writer.js';
import { RowWriter } from './row-writer.js';
import { dnsDefinition, TargetWriter } from './target-writer.js';

const probePort = 4240;
const freshS = 2 * httpIntervalS + timeoutS;

/** What the local agent sees. */
export interface ObservedNetwork {
  readonly input: Omit<DiagnosisInput, 'previous' | 'rows'> & {
    readonly rows: readonly ObservedRow[];
  };
  /** The channels that were reported wrongly, one bit each, by `observer,target`. */
  readonly wrongReports: ReadonlyMap<string, number>;
}

/** The input of the local node's diagnosis, derived from the fate of each probe in its network. */
export function observeNetwork(
  conditions: Conditions,
  random: Random,
  now: number,
): ObservedNetwork {
  const { names, zones, local, troubles } = conditions;
  const history = new History(troubles);
  const rows: ObservedRow[] = [];
  const silentMs = new Map<string, number>();
  const heardMsAgo = new Map<string, number>();
  const writer = new RowWriter(conditions, history, random);
  const targets = conditions.targets && new TargetWriter(conditions, conditions.targets, random);
  const hasLarge = conditions.troubles.some(({ trouble }) => trouble.dropsLarge);
  const large = hasLarge ? new LargeWriter(conditions, random) : undefined;
  const withMore = (row: Row, node: number, agoS: number): Row => {
    const more = targets ? { ...row, targets: targets.write(node, agoS) } : row;
    return large?.write(more, node, agoS, node === local) ?? more;
  };
  names.forEach((name, node) => {
    if (node === local) {
      // An agent knows all its own paths, also those that its row has no room for.
      const row = withMore(writer.write(node, 0, true, Infinity), node, 0);
      rows.push(freshRow(row));
      return;
    }
    heardMsAgo.set(
      name,
      ((history.mutedS(node, local) ?? 0) + random.next() * httpIntervalS) * 1000,
    );
    if (conditions.isSilent(node)) {
      silentMs.set(name, 3_600_000);
      return;
    }
    // A row comes with the answer to a GET, so a fault may have kept newer rows away.
    const silentS = history.mutedS(local, node);
    const talks = silentS === undefined;
    const lastS = random.next() * httpIntervalS * (talks ? 1 : 1.2);
    const ageS = conditions.isStale(node)
      ? freshS + 1 + random.next() * 600
      : (silentS ?? 0) + lastS;
    const freshness = ageS <= freshS ? 'fresh' : 'stale';
    rows.push({
      row: withMore(writer.write(node, ageS, talks), node, ageS),
      ageMs: ageS * 1000,
      bodyAgeMs: ageS * 1000,
      freshness,
    });
  });
  const nodes = names.map((name, node) =>
    makeNode(name, node, {
      zone: zones[node],
      labels: conditions.labels?.of[node],
      known: conditions.knownOf?.(node),
      ...(conditions.hasEndpoint?.(node) === false && { endpoint: [] }),
    }),
  );
  const more = { silentMs, heardMsAgo, probePort, now, localName: names[local] ?? '' };
  const targetsOf = conditions.targets ? [dnsDefinition] : [];
  const input = {
    ...makeInput(nodes, { ...more, rows, targets: targetsOf }, conditions.labels?.groupBy),
    rows,
  };
  return { input, wrongReports: writer.wrongReports };
}
