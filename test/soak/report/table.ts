import { median } from '../../bench/statistics.js';
import { alignColumns } from '../../../cli/view/tab-writer.js';
import { figureNames, figures, type Figure, type FigureName, type Sample } from '../figures.js';
import { judge, type Judgement } from '../verdict.js';

export interface Row {
  readonly name: FigureName;
  readonly figure: Figure;
  readonly judgement: Judgement;
  /** The median of all agents at the start, at the quarters and at the end. */
  readonly medians: readonly number[];
}

const titles = ['start', '1/4', '1/2', '3/4', 'end'] as const;

/** Each figure over time, with its slope. */
export function rowsOf(samples: readonly Sample[], warmUpMs: number): Row[] {
  return figureNames.map((name) => {
    const figure: Figure = figures[name];
    return {
      name,
      figure,
      judgement: judge(name, figure, samples, warmUpMs),
      medians: mediansOf(name, figure, samples),
    };
  });
}

/** The rows as a table of text. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [
    ['', ...titles, 'slope an hour', 'may grow by', ''],
    ...rows.map(({ figure, medians, judgement: { slope, grows } }) => [
      figure.unit === '' ? figure.title : `${figure.title}, ${figure.unit}`,
      ...medians.map(short),
      slope === undefined ? 'too few samples' : `${signed(slope.perHour)} ± ${short(slope.error)}`,
      figure.mayGrowBy === undefined ? '-' : short(figure.mayGrowBy),
      grows === undefined ? '' : `GROWS: ${grows}`,
    ]),
  ];
  return alignColumns(cells.map((row) => row.join('\t'))).replaceAll(/ +$/gm, '');
}

/** The medians of a tenth of the run around each of five times. */
function mediansOf(name: FigureName, { whileCalm }: Figure, samples: readonly Sample[]): number[] {
  const some = samples.filter(({ isCalm }) => isCalm || !whileCalm);
  const endMs = Math.max(0, ...samples.map(({ ms }) => ms));
  const widthMs = endMs / 10;
  return titles.map((_, quarter) => {
    const centreMs = (quarter / (titles.length - 1)) * endMs;
    const fromMs = Math.min(Math.max(0, centreMs - widthMs / 2), endMs - widthMs);
    const near = some.filter(({ ms }) => ms >= fromMs && ms <= fromMs + widthMs);
    return median(near.flatMap(({ values }) => values[name] ?? []));
  });
}

function signed(number: number): string {
  return number > 0 ? `+${short(number)}` : short(number);
}

function short(number: number): string {
  if (!Number.isFinite(number)) return '-';
  const size = Math.abs(number);
  return number.toFixed(size >= 100 || Number.isInteger(number) ? 0 : size >= 10 ? 1 : 2);
}
