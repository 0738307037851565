import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { formatRtt } from '../model/format-rtt.js';
import type { RttSeries } from './rtt-series.js';

interface RttChartProps {
  readonly series: readonly RttSeries[];
  readonly label: string;
}

const height = 220;

/**
 * A chart of round trips over time with one line for each path. A mark at the top shows each lost
 * probe, because no line reaches that area.
 */
export function RttChart({ series, label }: RttChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const newest = useRef(series);
  newest.current = series;
  const chart = useRef<uPlot | undefined>(undefined);
  const shape = series.map((one) => `${one.label} ${one.isSecondary}`).join('\n');

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const build = (): void => {
      chart.current?.destroy();
      chart.current = new uPlot(
        optionsOf(newest, element, element.clientWidth),
        dataOf(newest.current),
        element,
      );
    };
    build();
    const observer = new ResizeObserver(() => {
      chart.current?.setSize({ width: element.clientWidth, height });
    });
    observer.observe(element);
    scheme.addEventListener('change', build);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', build);
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [shape]);

  useEffect(() => chart.current?.setData(dataOf(series)), [series]);

  return <div class="chart" ref={place} role="img" aria-label={label} />;
}

function dataOf(series: readonly RttSeries[]): uPlot.AlignedData {
  if (series.length === 0) return [[]];
  return uPlot.join(series.map(({ times, rtts }) => [[...times], [...rtts]]));
}

function optionsOf(
  newest: { readonly current: readonly RttSeries[] },
  element: Element,
  width: number,
): uPlot.Options {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  const font = `12px ${style.fontFamily}`;
  const axis = {
    stroke: read('--muted'),
    font,
    grid: { stroke: read('--line'), width: 1 },
    ticks: { stroke: read('--line'), width: 1 },
  };
  return {
    width,
    height,
    legend: { show: true, live: true },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { y: { range: (_chart, _min, max) => [0, (max || 1e6) * 1.15] } },
    axes: [
      { ...axis, space: 90, values: '{HH}:{mm}:{ss}' },
      {
        ...axis,
        size: 66,
        values: (_chart, values) => values.map((ns) => (ns === 0 ? '0' : formatRtt(ns))),
      },
    ],
    series: [
      { label: 'time', value: '{HH}:{mm}:{ss}' },
      ...newest.current.map(({ label, plane, isSecondary }) => ({
        label,
        stroke: read(`--plane-${plane}`),
        width: 1.5,
        spanGaps: true,
        points: { show: false },
        ...((isSecondary || plane === 'endpoint') && { dash: isSecondary ? [2, 3] : [7, 3] }),
        value: (_chart: uPlot, ns: number | null) => (ns === null ? '–' : formatRtt(ns)),
      })),
    ],
    hooks: {
      draw: [
        (chart) => {
          drawLosses(chart, newest.current, read('--cell-unreachable'));
          drawTainted(chart, newest.current, read('--muted'));
        },
      ],
    },
  };
}

/**
 * Draws a cross at the top for each lost probe, and a line down from it. The line makes dense
 * losses visible.
 */
function drawLosses(chart: uPlot, series: readonly RttSeries[], color: string): void {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.setLineDash([]);
  ctx.strokeStyle = color;
  for (const { time } of series.flatMap(({ losses }) => losses)) {
    const x = Math.round(chart.valToPos(time, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const y = bbox.top + 6 * ratio;
    const arm = 3.5 * ratio;
    ctx.globalAlpha = 0.35;
    ctx.lineWidth = ratio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.lineWidth = 1.8 * ratio;
    ctx.beginPath();
    ctx.moveTo(x - arm, y - arm);
    ctx.lineTo(x + arm, y + arm);
    ctx.moveTo(x + arm, y - arm);
    ctx.lineTo(x - arm, y + arm);
    ctx.stroke();
  }
  ctx.restore();
}

/**
 * Draws a small circle at the bottom for each sample that was taken while the agent was stalled.
 */
function drawTainted(chart: uPlot, series: readonly RttSeries[], color: string): void {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.setLineDash([]);
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.2 * ratio;
  for (const time of series.flatMap(({ tainted }) => tainted)) {
    const x = chart.valToPos(time, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.arc(x, bbox.top + bbox.height - 6 * ratio, 3 * ratio, 0, 2 * Math.PI);
    ctx.stroke();
  }
  ctx.restore();
}
