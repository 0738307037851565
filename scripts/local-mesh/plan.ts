import { join } from 'node:path';

/** One node of the local mesh with its addresses and files. */
export interface MeshNode {
  readonly name: string;
  readonly nodeIp: string;
  readonly endpointIp: string;
  readonly socketPath: string;
  readonly agentLog: string;
  readonly responderLog: string;
}

/** Returns the nodes of a mesh. Their sockets and logs are in `folder`. */
export function planNodes(count: number, folder: string): readonly MeshNode[] {
  return Array.from({ length: count }, (_, index) => {
    const n = index + 1;
    return {
      name: `default/node${n}`,
      nodeIp: `127.0.1.${n}`,
      endpointIp: `127.0.2.${n}`,
      socketPath: join(folder, `node${n}.sock`),
      agentLog: join(folder, `node${n}-agent.log`),
      responderLog: join(folder, `node${n}-responder.log`),
    };
  });
}

/** Writes the nodes file as JSON, which is also YAML. */
export function nodesFileText(nodes: readonly MeshNode[]): string {
  const listed = nodes.map(({ name, nodeIp, endpointIp }) => ({
    name,
    host: nodeIp,
    endpoint: endpointIp,
  }));
  return `${JSON.stringify({ nodes: listed }, undefined, 2)}\n`;
}

/**
 * The interval at which each agent probes each path. Every node probes every node, so the work
 * grows with the square of their number. Large meshes probe less often, to spare this machine.
 */
export function intervalSeconds(nodeCount: number): number {
  const probesPerSweep = nodeCount * nodeCount * 4;
  const probesPerSecond = 1000;
  return Math.max(1, Math.ceil(probesPerSweep / probesPerSecond));
}

/**
 * The port next to the probe port. A mesh with another probe port then has another health port too.
 */
export function healthPort(probePort: number): number {
  return probePort < 65535 ? probePort + 1 : probePort - 1;
}

/** The arguments of a node's agent. With `apiListen` it also serves the API over TCP there. */
export function agentArguments(
  node: MeshNode,
  nodesFile: string,
  probePort: number,
  intervalS: number,
  apiListen?: string,
): string[] {
  const flags = {
    'node-name': node.name,
    'nodes-file': nodesFile,
    'socket-path': node.socketPath,
    'probe-port': String(probePort),
    'listen-address': node.nodeIp,
    'health-listen': `${node.nodeIp}:${healthPort(probePort)}`,
    'icmp-interval': `${intervalS}s`,
    'http-interval': `${intervalS}s`,
    ...(apiListen !== undefined && { 'api-listen': apiListen }),
  };
  return Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
}

/** The arguments of the responder that answers inside a node's health endpoint. */
export function responderArguments(node: MeshNode, probePort: number): string[] {
  return ['responder', '--listen-address', node.endpointIp, '--probe-port', String(probePort)];
}
