import { median } from '../../bench/statistics.js';
import { figureNames, figures, type FigureName, type Sample } from '../figures.js';
import type { Trouble } from '../run.js';

const [width, panelHeight, left, right, top] = [960, 130, 70, 20, 26];
const plotHeight = panelHeight - top - 18;

/**
 * Each figure over time as an SVG: a thin line for each agent, a thick one for the median, and grey where
 * something was done to the cluster.
 */
export function plotOf(samples: readonly Sample[], troubles: readonly Trouble[]): string {
  const endMs = Math.max(1, ...samples.map(({ ms }) => ms));
  const height = figureNames.length * panelHeight;
  const panels = figureNames.map((name, index) =>
    panelOf(name, samples, troubles, endMs, index * panelHeight),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    ...panels.flat(),
    '</svg>',
    '',
  ].join('\n');
}

function panelOf(
  name: FigureName,
  samples: readonly Sample[],
  troubles: readonly Trouble[],
  endMs: number,
  y0: number,
): string[] {
  const known = samples.flatMap(({ ms, pid, values }) => {
    const value = values[name];
    return value === undefined ? [] : [{ ms, pid, value }];
  });
  const most = Math.max(1, ...known.map(({ value }) => value)) * 1.05;
  const x = (ms: number) => round(left + (ms / endMs) * (width - left - right));
  const y = (value: number) => round(y0 + top + (1 - value / most) * plotHeight);
  const line = (points: readonly { ms: number; value: number }[], style: string) =>
    `<polyline fill="none" ${style} points="${points.map(({ ms, value }) => `${x(ms)},${y(value)}`).join(' ')}"/>`;
  const middle = [...groupBy(known, ({ ms }) => ms)].map(([ms, some]) => ({
    ms,
    value: median(some.map(({ value }) => value)),
  }));
  const { title, unit } = figures[name];
  return [
    ...troubles.map(
      ({ fromMs, toMs, what }) =>
        `<rect x="${x(fromMs)}" y="${y0 + top}" width="${round(x(toMs) - x(fromMs))}" height="${plotHeight}" fill="#eee"><title>${escapeXml(what)}</title></rect>`,
    ),
    `<text x="${left}" y="${y0 + 18}" font-weight="bold">${title}${unit === '' ? '' : `, ${unit}`}</text>`,
    `<text x="${left - 6}" y="${y(most) + 8}" text-anchor="end">${round(most)}</text>`,
    `<text x="${left - 6}" y="${y(0)}" text-anchor="end">0</text>`,
    `<text x="${width - right}" y="${y(0) + 13}" text-anchor="end">${round(endMs / 60_000)} min</text>`,
    `<path d="M${left} ${y(most)}V${y(0)}H${width - right}" fill="none" stroke="#888"/>`,
    ...[...groupBy(known, ({ pid }) => pid).values()].map((life) =>
      line(life, 'stroke="#7aa6d8" stroke-width="0.6"'),
    ),
    line(middle, 'stroke="#b3261e" stroke-width="1.6"'),
  ];
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): ReadonlyMap<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    groups.set(keyOf(item), group);
    group.push(item);
  }
  return groups;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
