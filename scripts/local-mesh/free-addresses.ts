import { createServer } from 'node:net';
import { healthPort, type MeshNode } from './plan.js';

/** The mesh cannot start here. The user gets the message on one line, and the exit code is 1. */
export class MeshError extends Error {}

/**
 * Checks that all addresses of the mesh are free. It binds the probe port and the health ports for
 * a moment.
 * @throws MeshError naming the first address that cannot be had, and what to do
 */
export async function refuseTakenAddresses(
  nodes: readonly MeshNode[],
  probePort: number,
): Promise<void> {
  const wanted = nodes.flatMap(({ nodeIp, endpointIp }) => [
    { ip: nodeIp, port: probePort },
    { ip: endpointIp, port: probePort },
    { ip: nodeIp, port: healthPort(probePort) },
  ]);
  for (const { ip, port } of wanted) {
    const code = await tryToListen(ip, port);
    if (code !== undefined) throw new MeshError(explain(code, ip, port));
  }
}

/** The preferred port of the first node's API. */
const firstApiPort = 4242;

/**
 * Returns the first free port of an address from 4242 on.
 * @param reserved ports of the mesh itself
 * @throws MeshError if a hundred ports in a row are taken
 */
export async function findApiPort(ip: string, reserved: readonly number[]): Promise<number> {
  for (let port = firstApiPort; port < firstApiPort + 100; port++) {
    if (reserved.includes(port)) continue;
    if ((await tryToListen(ip, port)) === undefined) return port;
  }
  throw new MeshError(`cannot listen on ${ip}: no port from ${firstApiPort} on is free`);
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function explain(code: string, ip: string, port: number): string {
  const where = `cannot listen on ${ip}, port ${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return `${where}: it is taken; if that is another mesh, stop it with Ctrl-C in its terminal, else choose another port: npm start -- --probe-port ${port === 14240 || port === 14241 ? 24240 : 14240}`;
    case 'EADDRNOTAVAIL':
      return `${where}: this machine has no such address; add it to the loopback interface (macOS: sudo ifconfig lo0 alias ${ip})`;
    case 'EACCES':
      return `${where}: no permission; choose a port above 1023: npm start -- --probe-port 14240`;
    default:
      return `${where}: ${code}`;
  }
}
