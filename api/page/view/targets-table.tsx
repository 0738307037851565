import { useMemo } from 'preact/hooks';
import type { TargetBody, TargetPlane, Targets } from '../../schema/v1/targets.js';
import { formatRtt } from '../model/format-rtt.js';
import { notFromWords, reachedWords, targetPlanes } from '../model/target-words.js';
import { Glyph, glyphOf } from './glyph.js';
import { TargetLink, useShortText } from './names.js';
import { SortableTable, type Column } from './sortable-table.js';

/** The worst first. */
const verdicts: readonly TargetBody['verdict'][] = ['broken', 'degraded', 'unknown', 'ok'];

interface TargetRow {
  readonly target: TargetBody;
  readonly plane: string;
  readonly ofPlane: TargetPlane;
}

interface TargetsTableProps {
  readonly targets: Targets['targets'];
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
}

/** The targets, with a row for each plane from which they are probed. */
export function TargetsTable({ targets, ...sorting }: TargetsTableProps) {
  const short = useShortText();
  const rows = useMemo(
    () =>
      targets.flatMap((target) =>
        targetPlanes(target).map(([plane, ofPlane]): TargetRow => ({ target, plane, ofPlane })),
      ),
    [targets],
  );
  const columns = useMemo(() => columnsOf(short), [short]);
  return (
    <SortableTable
      label="Table of targets"
      class="paths-table"
      columns={columns}
      rows={rows}
      keyOf={({ target, plane }) => `${plane} ${target.name}`}
      {...sorting}
    />
  );
}

function columnsOf(short: (text: string) => string): readonly Column<TargetRow>[] {
  return [
    {
      id: 'name',
      title: 'Target',
      value: ({ target }) => target.name,
      cell: ({ target }) => <TargetLink name={target.name} />,
    },
    {
      id: 'plane',
      title: 'Plane',
      value: ({ plane }) => plane,
      cell: ({ plane }) => plane,
    },
    {
      id: 'verdict',
      title: 'Verdict',
      value: ({ target }) => verdicts.indexOf(target.verdict),
      cell: ({ target: { verdict } }) => (
        <>
          <Glyph kind={glyphOf(verdict)} /> {verdict}
        </>
      ),
      class: 'nowrap',
    },
    {
      id: 'reached',
      title: 'Reached from',
      value: ({ ofPlane: { reached } }) =>
        reached.of === 0 ? undefined : reached.from / reached.of,
      cell: ({ ofPlane }) => reachedWords(ofPlane),
      class: 'nowrap',
    },
    {
      id: 'p50',
      title: 'p50',
      isNumber: true,
      value: ({ ofPlane }) => ofPlane.p50Ns,
      cell: ({ ofPlane }) => formatRtt(ofPlane.p50Ns),
    },
    {
      id: 'p99',
      title: 'p99',
      isNumber: true,
      value: ({ ofPlane }) => ofPlane.p99Ns,
      cell: ({ ofPlane }) => formatRtt(ofPlane.p99Ns),
    },
    {
      id: 'not-from',
      title: 'Not from',
      value: ({ ofPlane: { reached } }) => reached.of - reached.from,
      cell: ({ ofPlane }) => notFromWords(ofPlane, 3, short) || '–',
    },
  ];
}
