import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { lastAnswersOf } from '../../../../agent/diagnosis/evidence/unanswered.js';
import { boundRow } from '../../../../agent/peers/row/build-row.js';
import { channels } from '../../../../agent/model/channel.js';
import type { Plane } from '../../../../agent/model/path.js';
import type { RowSweep } from '../../../../agent/model/row.js';
import { makeRow } from '../../../rows/make-row.js';
import { clusterOf, n, namesOf, rowsOf, start } from './cluster.js';

const nodes = 100;
const names = namesOf(nodes);
const httpIntervalMs = 50_000;
/** The probes of the seventh node got lost 6 s ago. It has gone round by ICMP since, and by HTTP not. */
const failingS = (): number => 4;

const sweepsWith = (unansweredSeconds: (channel: number) => number | undefined): RowSweep[] =>
  channels.map((of, channel) => {
    const seconds = unansweredSeconds(channel);
    const intervalMs = of.protocol === 'http' ? httpIntervalMs : 4000;
    return {
      ...of,
      intervalMs,
      ...(seconds !== undefined && { unansweredSeconds: seconds }),
    };
  });

/** What is told by several rows, each 2 s after the one before, while the row of the seventh node tells of few paths by HTTP. */
const told = (paths: (to: number) => boolean, ...rows: (readonly RowSweep[])[]) =>
  toldOf(failingS, paths, ...rows);

/**
 * The same of paths that fail for so many seconds.
 * @param rows the sweeps in its row, the second time and after that
 */
function toldOf(
  sinceS: (plane: Plane) => number,
  paths: (to: number) => boolean,
  ...rows: (readonly RowSweep[])[]
) {
  const at = (now: number, sweeps: readonly RowSweep[], previous?: DiagnosisOutput) => {
    const input = clusterOf(nodes, {
      rows: rowsOf(names, (name) => ({
        row: { httpIntervalMs, ...(name === n(7) && { sweeps }) },
        ageMs: 1000,
      })),
      input: { now, previous },
      says: ({ from, to, plane, protocol }) => {
        if (from !== n(7)) return undefined;
        const isKnown = protocol === 'icmp' || paths(names.indexOf(to));
        return isKnown
          ? { state: 'unreachable', ageSeconds: sinceS(plane), failure: 'timeout' }
          : undefined;
      },
    });
    // Of the 99 nodes that it does not reach the row names 64.
    const rows = [...input.rows].map((one) => ({ ...one, row: boundRow(one.row) }));
    return diagnose({ ...input, rows });
  };
  let last = diagnose(clusterOf(nodes, { input: { now: start - 4000 } }));
  for (const [number, sweeps] of [rows[0] ?? [], ...rows].entries())
    last = at(start + 2000 * number, sweeps, last);
  return last.findings.map(({ kind, node, direction, protocols, text }) => ({
    kind,
    node,
    direction,
    protocols,
    text,
  }));
}

const host = { plane: 'host', protocol: 'icmp' } as const;
const aTenth = (to: number) => to % 10 === 0;

describe('a node none of whose probes is answered', () => {
  it('is told as one that cannot send, before it has probed all others', () => {
    expect(
      told(
        aTenth,
        sweepsWith(() => 6),
      ),
    ).toEqual([
      {
        kind: 'node-isolated',
        node: n(7),
        direction: 'outbound',
        protocols: ['icmp', 'http'],
        text: 'c/n7 (10.0.0.7) cannot reach any of 99 nodes; they reach it',
      },
    ]);
  });

  it('is told no more once some are answered, while most of its paths fail still', () => {
    const lost = sweepsWith(() => 6);
    const answered = sweepsWith(() => 0);
    expect(told(aTenth, lost, lost)).toHaveLength(1);
    expect(told(aTenth, lost, lost, answered)).toEqual([]);
    const echoes = sweepsWith((channel) => (channel % 2 === 0 ? 0 : 10));
    expect(told(aTenth, lost, lost, echoes)).toHaveLength(1);
  });

  it('is told no more then where one plane fell silent long before the other', () => {
    const sinceS = (plane: Plane) => (plane === 'host' ? 28 : 4);
    const lost = sweepsWith((channel) => (channel < 2 ? 30 : 6));
    const answered = sweepsWith(() => 0);
    const most = (to: number) => to % 20 !== 0;
    expect(toldOf(sinceS, most, lost, lost)).toHaveLength(1);
    expect(toldOf(sinceS, most, lost, lost, answered)).toEqual([]);
  });

  it('waits until it has where some are answered, or where its row does not tell', () => {
    const echoes = sweepsWith((channel) => (channel % 2 === 0 ? 6 : 0));
    for (const sweeps of [echoes, sweepsWith(() => undefined)]) {
      expect(told(aTenth, sweeps).filter(({ kind }) => kind === 'node-isolated')).toEqual([]);
    }
  });
});

describe('how long no probe was answered', () => {
  const paths = [{ node: n(2), ...host, state: 'unreachable', ageSeconds: 1 }] as const;
  const of = (seconds: number | undefined, intervalMs = 8000) => {
    const sweeps = [
      { ...host, intervalMs, ...(seconds !== undefined && { unansweredSeconds: seconds }) },
    ];
    return lastAnswersOf(makeRow(n(1), paths, 100, { sweeps })).answeredS?.[0];
  };

  it('counts once ten probes were lost, and for two seconds', () => {
    expect([of(1), of(2), of(60)]).toEqual([undefined, 2, 60]);
    // One in 0.8 s.
    expect([of(7, 80_000), of(8, 80_000)]).toEqual([undefined, 8]);
  });

  it('is not known where the row does not tell, or nothing fails', () => {
    expect(of(undefined)).toBeUndefined();
    const sweeps = [{ ...host, intervalMs: 8000, unansweredSeconds: 60 }];
    expect(lastAnswersOf(makeRow(n(1), [], 100, { sweeps })).answeredS).toBeUndefined();
  });
});
