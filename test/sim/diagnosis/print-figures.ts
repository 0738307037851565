import { manyFaults, sizeClasses, type Figures, type Share } from './figures.js';

/** By the number of visible faults, the least share of scenarios whose findings are exactly these. */
const exactTargets: ReadonlyMap<number, number> = new Map([
  [1, 0.99],
  [2, 0.97],
  [3, 0.95],
]);
const firstTarget = 0.995;

/** The scenarios of all sizes together. */
export function exactTotal({ exact }: Figures, faults: number): Share {
  const total = { part: 0, whole: 0 };
  for (const { part, whole } of Object.values(exact.get(faults) ?? {})) {
    total.part += part;
    total.whole += whole;
  }
  return total;
}

/** Whether all targets are met by what was made. */
export function meetsTargets(figures: Figures): boolean {
  const reaches = ({ part, whole }: Share, target: number) => part >= target * whole;
  return (
    [...exactTargets].every(([faults, target]) => reaches(exactTotal(figures, faults), target)) &&
    reaches(figures.first, firstTarget) &&
    figures.falseAlarms.part === 0
  );
}

/** The figures as a table, followed by the scenarios that are not exact. */
export function printFigures(figures: Figures): string {
  const { observersMissing, undecidable, wrong } = figures;
  const unknown = [...undecidable].sort(([, a], [, b]) => b - a);
  const total = unknown.reduce((sum, [, times]) => sum + times, 0);
  return [
    ...[1, 2, 3, manyFaults].flatMap((faults) => exactLines(figures, faults)),
    line('first finding is a made fault', figures.first, `>= ${100 * firstTarget} %`),
    line('all visible faults are found', figures.found),
    line('something found without a fault', figures.falseAlarms, '0'),
    line('something found beside the faults', figures.extra),
    line('missing observers are said', observersMissing) + `, wrongly ${observersMissing.wrong}`,
    ...(figures.flowsTold.whole === 0
      ? []
      : [
          line('flows are told where some never pass', figures.flowsTold),
          line('flows are told where losses are random', figures.flowsWrong, '0'),
        ]),
    `undecidable, counted apart: ${total}`,
    ...unknown.map(([reason, times]) => `  ${String(times).padStart(3)} ${reason}`),
    '',
    ...kindLines(figures),
    ...(wrong.length > 0 ? ['', ...wrong] : []),
  ].join('\n');
}

function exactLines(figures: Figures, faults: number): string[] {
  const bySize = figures.exact.get(faults);
  if (!bySize) return [];
  const target = exactTargets.get(faults);
  const orMore = faults === manyFaults ? ' or more' : '';
  const what = `exact, ${faults}${orMore} fault${faults === 1 ? '' : 's'}`;
  return [
    line(
      what,
      exactTotal(figures, faults),
      target === undefined ? undefined : `>= ${100 * target} %`,
    ),
    ...sizeClasses.map((size) => line(`  ${what}, ${size} nodes`, bySize[size])),
  ];
}

function line(what: string, { part, whole }: Share, target?: string): string {
  const share = whole === 0 ? '' : ` (${((100 * part) / whole).toFixed(1)} %)`;
  return `${what}: ${part} of ${whole}${share}${target === undefined ? '' : `, target ${target}`}`;
}

function kindLines({ byKind }: Figures): string[] {
  const row = (what: string, ...columns: readonly [made: string, found: string, first: string]) =>
    what.padEnd(46) + columns.map((column) => column.padStart(7)).join('');
  const kinds = [...byKind].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    row('fault', 'made', 'found', 'first'),
    ...kinds.map(([what, { made, found, first }]) =>
      row(what, String(made), String(found), String(first)),
    ),
  ];
}
