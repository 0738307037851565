import { useMemo } from 'preact/hooks';
import type { History, HistorySeries } from '../../schema/history.js';
import { RttChart } from '../chart/rtt-chart.js';
import { rttSeriesOf } from '../chart/rtt-series.js';
import { formatRtt, formatShare } from '../model/format-rtt.js';
import { plainText } from '../model/plain-text.js';
import { count } from '../model/verdict-words.js';
import { TableScroller } from './table-scroller.js';

/** The last probes of a node's paths: one chart for each protocol, and their figures. */
export function NodeHistory({ history }: { readonly history: History | undefined }) {
  return (
    <section aria-labelledby="history">
      <h2 id="history">Round trips</h2>
      <div class="charts">
        <ProtocolChart history={history} protocol="icmp" />
        <ProtocolChart history={history} protocol="http" />
      </div>
      {history && <HistoryTable history={history} />}
    </section>
  );
}

interface ProtocolChartProps {
  readonly history: History | undefined;
  readonly protocol: 'icmp' | 'http';
}

function ProtocolChart({ history, protocol }: ProtocolChartProps) {
  const series = useMemo(
    () => (history ? rttSeriesOf(history, protocol) : []),
    [history, protocol],
  );
  const title = protocol.toUpperCase();
  const lost = series.reduce((sum, { losses }) => sum + losses.length, 0);
  const tainted = series.reduce((sum, one) => sum + one.tainted.length, 0);
  return (
    <figure class="chart-figure">
      <figcaption>
        {title}
        {lost > 0 && <span class="bad"> {count(lost, 'probe')} lost (✕)</span>}
        {tainted > 0 && (
          <span class="hint">
            {' '}
            {tainted.toLocaleString('en')} not counted (○): the agent had no CPU time
          </span>
        )}
      </figcaption>
      <div class={history && series.length === 0 ? undefined : 'chart-place'}>
        {series.length > 0 ? (
          <RttChart
            series={series}
            label={`${title} round trips of the last probes, ${count(lost, 'probe')} lost; the figures are in the table below`}
          />
        ) : (
          history && <p class="muted">No probes are kept.</p>
        )}
      </div>
    </figure>
  );
}

function HistoryTable({ history }: { readonly history: History }) {
  const rows = history.paths.flatMap(({ plane, ip, icmp, http }) => [
    ...(icmp ? [{ plane, ip, protocol: 'ICMP', series: icmp }] : []),
    ...(http ? [{ plane, ip, protocol: 'HTTP', series: http }] : []),
  ]);
  return (
    <TableScroller label="Figures of the last probes">
      <table>
        <thead>
          <tr>
            <th scope="col">Path</th>
            <th scope="col">Protocol</th>
            {['Min', 'p50', 'p95', 'Max', 'Loss 1 min', '10 min', '1 h', 'Probes lost'].map(
              (title) => (
                <th key={title} scope="col" class="number">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ plane, ip, protocol, series }) => (
            <tr key={`${plane} ${ip} ${protocol}`}>
              <th scope="row">
                {plane} {plainText(ip)}
              </th>
              <td>{protocol}</td>
              {[series.min, series.p50, series.p95, series.max].map((ns, at) => (
                <td key={at} class="number nowrap">
                  {formatRtt(ns)}
                </td>
              ))}
              {[series.loss1m, series.loss10m, series.loss1h].map((share, at) => (
                <td key={at} class="number nowrap">
                  {formatShare(share ?? noLossOf(series))}
                </td>
              ))}
              <td class="number nowrap">{lostOf(series)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}

/** The API leaves out a loss of zero. Without a probe nothing is known of it. */
function noLossOf({ samples }: HistorySeries): number | undefined {
  return samples.length > 0 ? 0 : undefined;
}

function lostOf({ samples }: HistorySeries): string {
  const lost = samples.filter(({ failure }) => failure !== undefined).length;
  return `${lost} of ${samples.length}`;
}
