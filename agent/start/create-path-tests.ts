import type { PathTestSource } from '../../api/routes/v1/path-tests.js';
import { unknownNameText } from '../../api/routes/v1/unknown-name.js';
import type { Config } from '../config/config.js';
import { fullNameOf } from '../model/node-name.js';
import { testPath, testProtocols } from '../path-tests/path-tests.js';
import { loadLibc } from '../platform/libc.js';
import { unknownNode } from '../reports/v1/node-entries.js';
import type { ResultStore } from '../results/result-store.js';

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
    if (!paths) {
      const unknown = unknownNode({ nodes: store.snapshot().nodes, clusterName }, node);
      return { refused: 'unknown-node', text: unknownNameText('node', node, unknown) };
    }
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
