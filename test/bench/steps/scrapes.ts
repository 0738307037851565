import { logProgress } from '../progress.js';
import { count, duration, megabytes } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { measureScrapes } from '../scrapes.js';
import type { Bench } from './step.js';

const nodes = 5000;
const target = { scrapeMs: 5, seriesWell: 150, seriesInOutage: 250 };

/**
 * Measures the cost of a scrape of `/metrics` and its number of series, in this process and with
 * nothing else running.
 */
export function measureMetricsScrapes({ report, quick }: Bench): void {
  for (const { deadShare, title, seriesTarget } of [
    { deadShare: 0, title: 'all well', seriesTarget: target.seriesWell },
    { deadShare: 1, title: 'all dead', seriesTarget: target.seriesInOutage },
  ]) {
    const cluster = `${count(nodes)} nodes, ${title}`;
    logProgress(`${cluster}: scrapes of /metrics`);
    const figures = measureScrapes(nodes, deadShare, quick ? 30 : 100);
    const { cpuMs, wallMs, series, bytes } = figures;
    report.add('metrics', { ...figures, deadShare });
    report.row({
      promise: `a scrape of /metrics, ${cluster}`,
      target: `<= ${duration(target.scrapeMs)}, <= ${seriesTarget} series`,
      figure: `median ${duration(wallMs.median)} (least ${duration(wallMs.min)}, p99 ${duration(wallMs.p99)}), ${series} series`,
      beside: `processor time ${duration(cpuMs.median)}, ${megabytes(bytes)}`,
      result: targetResult(wallMs.median <= target.scrapeMs, series <= seriesTarget),
    });
  }
}
