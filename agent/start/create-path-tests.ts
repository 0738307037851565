import type { PathTestSource } from '../../api/routes/v1/path-tests.js';
import type { Config } from '../config/config.js';
import { fullNameOf } from '../model/node-name.js';
import { testPath, testProtocols } from '../path-tests/path-tests.js';
import { loadLibc } from '../platform/libc.js';
import type { ResultStore } from '../results/result-store.js';
import { refuseUnknownNode } from './refuse-unknown-node.js';

export interface PathTestsOptions {
  readonly config: Pick<Config, 'clusterName' | 'probePort'>;
  readonly store: Pick<ResultStore, 'paths' | 'snapshot'>;
}

/** Returns what tests a path on demand. Only addresses of listed nodes are tested. */
export function createPathTests({ config, store }: PathTestsOptions): PathTestSource {
  const { clusterName, probePort } = config;
  return (test, request, signal) => {
    const { plane } = request;
    const node = fullNameOf(request.node, clusterName);
    const paths = store.paths.historyOf(node);
    if (!paths) return refuseUnknownNode(node, store, clusterName);
    const path = paths.find((known) => known.plane === plane);
    if (!path) {
      return { refused: 'bad-request', text: `${node} has no address on the ${plane} plane` };
    }
    const possible = testProtocols[test];
    const protocol = request.protocol ?? possible[0] ?? 'icmp';
    if (!possible.includes(protocol)) {
      const expected = possible.join(' or ');
      return { refused: 'bad-request', text: `protocol: expected ${expected}, got ${protocol}` };
    }
    const { ip } = path.view;
    return {
      lines: testPath({ test, path: { node, plane, ip }, protocol, probePort, loadLibc, signal }),
    };
  };
}
