import type { History, HistoryPath, HistorySeries } from '../../api/schema/history.js';
import { fullNameOf } from '../model/node-name.js';
import { protocols, type Protocol } from '../model/sample.js';
import { historyBytesPerPath } from '../results/probe-history.js';
import type { ResultStore } from '../results/result-store.js';
import type { PathHistory } from '../results/known-paths.js';
import { keptSamples, type KeptSample } from '../results/sample-log.js';
import { protocolStatus } from './status-body.js';

/**
 * The body of `GET /v1beta/history` for a node, named in full or, in the agent's own cluster, by
 * its bare name; undefined where the agent knows no such node.
 */
export function createHistorySource(
  store: ResultStore,
  clusterName: string,
): (name: string) => History | undefined {
  return (name) => {
    const node = fullNameOf(name, clusterName);
    const paths = store.paths.historyOf(node);
    if (!paths) return undefined;
    const clocks = { at: Date.now(), ms: performance.now() };
    return {
      node,
      timestamp: new Date(clocks.at).toISOString(),
      keptSamples,
      bytesPerPath: historyBytesPerPath,
      paths: paths.map((path) => pathBody(path, clocks)),
    };
  };
}

/** The same instant on the wall clock and on the monotonic one. */
interface Clocks {
  readonly at: number;
  readonly ms: number;
}

function pathBody({ plane, view, samples }: PathHistory, clocks: Clocks): HistoryPath {
  const series = (protocol: Protocol): HistorySeries => ({
    ...(view[protocol].state.state === 'unknown'
      ? { state: 'unknown' }
      : protocolStatus(view[protocol])),
    samples: samples[protocol].map((sample) => sampleBody(sample, clocks)),
  });
  const known = protocols.filter((protocol) => samples[protocol].length > 0);
  return {
    plane,
    ip: view.ip,
    ...Object.fromEntries(known.map((protocol) => [protocol, series(protocol)])),
  };
}

/** Times are counted back from now, so that a step of the wall clock does not separate them. */
function sampleBody({ sentMs, rttNs, failure, tainted }: KeptSample, clocks: Clocks) {
  return {
    at: new Date(clocks.at - (clocks.ms - sentMs)).toISOString(),
    ...(rttNs !== undefined && { rtt: rttNs }),
    ...(failure !== undefined && { failure }),
    ...(tainted && { tainted }),
  };
}
