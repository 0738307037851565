import { join } from 'node:path';
import { bundleApiServer } from '../../doubles/api-server/bundle.js';
import type { NodeOptions } from '../../doubles/api-server/objects.js';
import { ApiServerProcess } from '../../doubles/api-server/process.js';
import type { Settings } from './agents.js';
import type { Lab } from './lab.js';
import type { Host } from './plan.js';

const port = 6443;
const namespace = 'meshprobe';

/**
 * The API server of a lab's cluster. It runs on a machine of the underlay, and the test tells it
 * about the hosts.
 */
export interface LabApiServer {
  /** The settings of agents that use this API server. */
  readonly source: Settings;
  /** Adds or changes a host's node. Another `uid` makes it another node. */
  putNode(host: Host, options?: NodeOptions): Promise<void>;
  /** Adds the pod of a host's endpoint. */
  putEndpoint(host: Host): Promise<void>;
  /** Deletes a host's node and the pod of its endpoint. */
  remove(host: Host): Promise<void>;
  /**
   * Stops listening and cuts every connection. Later changes become visible when it comes back.
   */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an API server that knows no host yet. */
export async function startApiServer(lab: Lab): Promise<LabApiServer> {
  const kubeconfig = join(lab.folder, 'kubeconfig');
  const program = await bundleApiServer(lab.folder);
  const wrap = ['ip', 'netns', 'exec', lab.underlayNamespace];
  const server = ApiServerProcess.start(program, wrap);
  const tell = async (command: object): Promise<void> => {
    await server.tell(command);
  };
  await tell({ do: 'listen', host: lab.underlayIp, port, kubeconfig });
  return {
    source: { 'node-source': 'kubernetes', kubeconfig, 'endpoint-namespace': namespace },
    putNode: ({ name, nodeIp }, options = {}) =>
      tell({ do: 'put-node', name, options: { internal: [nodeIp], ...options } }),
    putEndpoint: ({ name, endpointIp }) =>
      tell({
        do: 'put-pod',
        name: podOf(name),
        options: { node: name, ips: [endpointIp], namespace },
      }),
    async remove({ name }) {
      await tell({ do: 'remove-pod', name: podOf(name), namespace });
      await tell({ do: 'remove-node', name });
    },
    goAway: () => tell({ do: 'go-away' }),
    comeBack: () => tell({ do: 'come-back' }),
    stop: () => server.stop(),
  };
}

function podOf(node: string): string {
  return `meshprobe-endpoint-${node}`;
}
