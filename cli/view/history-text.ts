import { formatDurationNs } from '../../api/duration.js';
import type {
  History,
  HistoryPath,
  HistorySample,
  HistorySeries,
} from '../../api/schema/history.js';
import { troublesOf } from '../../api/schema/v1/path-words.js';
import { countText } from './age-text.js';
import { escapeText } from './escape.js';
import { percent } from './loss-text.js';
import { alignColumns } from './tab-writer.js';

const levels = '▁▂▃▄▅▆▇█';
const failed = 'x';
const tainted = '~';

/** The cells of one path by one protocol. */
interface Row {
  readonly path: string;
  readonly protocol: string;
  readonly series: HistorySeries;
}

/**
 * Prints a node's last probes: a sparkline and a line of figures for each path and protocol.
 * @param columns of the terminal, in which each path has lines of its own where the table is wider
 */
export function renderHistory(history: History, columns = Infinity): string {
  const rows = history.paths.flatMap(rowsOf);
  const title = `${escapeText(history.node)} at ${escapeText(history.timestamp)}\n`;
  if (rows.length === 0) return `${title}not probed yet\n`;
  const text = `${title}\n${sparklines(rows)}\n${figures(rows)}`;
  const isTooWide = text.split('\n').some((line) => line.length > columns);
  return isTooWide ? `${title}${rows.map((row) => `\n${narrow(row, columns)}`).join('')}` : text;
}

/** One path by one protocol, with as many of its last probes as fit. */
function narrow({ path, protocol, series }: Row, columns: number): string {
  const { samples, since } = series;
  const shown = samples.slice(-Math.max(columns - 2, 1));
  const lines = [
    `${path} ${protocol}: ${stateOf(series)}`,
    ...(since ? [`  since ${escapeText(since)}`] : []),
    `  ${sparkline(shown)}`,
    `  ${countText(shown.length, 'probe')}${spanOf(shown)}`,
    `  min ${durationText(series.min)}, p50 ${durationText(series.p50)}`,
    `  p95 ${durationText(series.p95)}, max ${durationText(series.max)}`,
    `  loss 1m ${percent(series.loss1m)}, 10m ${percent(series.loss10m)}, 1h ${percent(series.loss1h)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function rowsOf({ plane, ip, icmp, http }: HistoryPath): Row[] {
  const path = `${plane} ${escapeText(ip)}`;
  return [
    ...(icmp ? [{ path, protocol: 'ICMP', series: icmp }] : []),
    ...(http ? [{ path, protocol: 'HTTP', series: http }] : []),
  ];
}

function sparklines(rows: readonly Row[]): string {
  return alignColumns(
    rows.map(({ path, protocol, series: { samples } }) => {
      const line = sparkline(samples);
      return `${path}\t${protocol}\t${line}\t${countText(samples.length, 'probe')}${spanOf(samples)}`;
    }),
  );
}

/** Draws RTTs in eight steps, from the smallest to the largest of the samples. */
export function sparkline(samples: readonly HistorySample[]): string {
  const rtts = samples.flatMap(({ rtt, tainted }) => (rtt === undefined || tainted ? [] : [rtt]));
  const min = Math.min(...rtts);
  const range = Math.max(...rtts) - min;
  return samples
    .map((sample) => {
      if (sample.tainted) return tainted;
      if (sample.rtt === undefined) return failed;
      const share = range > 0 ? (sample.rtt - min) / range : 0;
      return levels.charAt(Math.min(Math.floor(share * levels.length), levels.length - 1));
    })
    .join('');
}

function spanOf(samples: readonly HistorySample[]): string {
  const [first, last] = [samples[0], samples.at(-1)].map((sample) => Date.parse(sample?.at ?? ''));
  const spanMs = (last ?? NaN) - (first ?? NaN);
  return spanMs > 0 ? ` in ${formatDurationNs(Math.round(spanMs / 1000) * 1e9)}` : '';
}

function stateOf(series: HistorySeries): string {
  const troubles = troublesOf(series).join(', ');
  return `${series.state ?? 'unknown'}${troubles === '' ? '' : ` (${troubles})`}`;
}

function durationText(ns: number | undefined): string {
  return ns === undefined ? '-' : formatDurationNs(ns);
}

function figures(rows: readonly Row[]): string {
  return alignColumns([
    'Path\tProtocol\tState\tSince\tMin\tp50\tp95\tMax\tLoss 1m\t10m\t1h',
    ...rows.map(({ path, protocol, series }) => {
      return [
        path,
        protocol,
        stateOf(series),
        series.since ? escapeText(series.since) : '-',
        ...[series.min, series.p50, series.p95, series.max].map(durationText),
        ...[series.loss1m, series.loss10m, series.loss1h].map(percent),
      ].join('\t');
    }),
  ]);
}
