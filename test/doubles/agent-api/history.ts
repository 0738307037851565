import type { History, HistorySample } from '../../../api/schema/history.js';
import type { Plane, Protocol } from '../../../api/schema/v1/fields.js';
import type { MadeUpCluster } from './cluster.js';

const keptSamples = 60;
const intervalMs = { icmp: 1000, http: 8000 } as const;

/** The body of `/v1beta/history`: sixty probes a path, with a few lost, and one that is tainted. */
export function historyOf(cluster: MadeUpCluster, name: string): History | undefined {
  const to = cluster.find(name);
  if (!to) return undefined;
  const addresses = cluster.addresses(to.name);
  const series = (plane: Plane, protocol: Protocol) => {
    const rttNs = cluster.rttNs(cluster.self, to, protocol) * (plane === 'host' ? 1 : 1.3);
    const isDown = cluster.state(cluster.self, to, plane, protocol) === 4;
    const samples = Array.from({ length: keptSamples }, (_, at): HistorySample => {
      const ago = (keptSamples - at) * intervalMs[protocol];
      const base = { at: new Date(Date.now() - ago).toISOString() };
      const isLost = isDown ? at > 45 : at % 23 === 11 && !cluster.losesNothing;
      if (isLost) return { ...base, failure: 'Connection timed out' };
      const wave = 1 + 0.12 * Math.sin(at / 4 + to.index + plane.length) + ((at * 37) % 11) / 40;
      return { ...base, rtt: Math.round(rttNs * wave), ...(at === 30 && { tainted: true }) };
    });
    const lost = samples.filter(({ failure }) => failure !== undefined).length;
    return {
      latency: Math.round(rttNs),
      lastProbed: new Date().toISOString(),
      state: isDown ? 'unreachable' : 'reachable',
      // As an agent does, which leaves out a loss of zero.
      ...(lost > 0 && {
        loss1m: lost / keptSamples,
        loss10m: lost / keptSamples / 4,
        loss1h: lost / keptSamples / 20,
      }),
      min: Math.round(rttNs * 0.8),
      p50: Math.round(rttNs),
      p95: Math.round(rttNs * 1.3),
      p99: Math.round(rttNs * 1.5),
      max: Math.round(rttNs * 1.6),
      samples,
    } as const;
  };
  return {
    node: name,
    timestamp: new Date().toISOString(),
    keptSamples,
    bytesPerPath: 1024,
    paths: (['host', 'endpoint'] as const).map((plane) => ({
      plane,
      ip: addresses[plane][0] ?? '',
      icmp: series(plane, 'icmp'),
      http: series(plane, 'http'),
    })),
  };
}
