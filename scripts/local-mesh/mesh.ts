import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from '../../agent/platform/node-start.js';
import { createClient } from '../../api/client/client.js';
import { Children } from './children.js';
import { findApiPort, MeshError, refuseTakenAddresses } from './free-addresses.js';
import { guide } from './guide.js';
import type { MeshOptions } from './options.js';
import {
  agentArguments,
  healthPort,
  intervalSeconds,
  nodesFileText,
  planNodes,
  responderArguments,
} from './plan.js';
import { untilAnswering, whyNoIcmp } from './readiness.js';
import { showTable, type Screen } from './show.js';
import { readTable } from './table.js';

const clientTimeoutMs = 1000;
const program = [...nodeFlags, fileURLToPath(new URL('../agent/main.js', import.meta.url))];

/**
 * Runs a mesh until it is asked to stop, or until one of its processes ends by itself. In the
 * second case it resolves with a line about that process. When it settles, nothing of the mesh is
 * left.
 * @throws MeshError if an address is taken
 */
export async function runMesh(
  { nodeCount, probePort }: MeshOptions,
  stopAsked: Promise<undefined>,
  screen: Screen,
): Promise<string | undefined> {
  await refuseTakenAddresses(planNodes(nodeCount, ''), probePort);
  screen.write(`Starting ${nodeCount} ${nodeCount === 1 ? 'node' : 'nodes'} on loopback...\n`);
  const folder = makeFolder();
  const children = new Children(folder);
  const ending = new AbortController();
  try {
    const intervalS = intervalSeconds(nodeCount);
    const plan = planNodes(nodeCount, folder);
    const nodesFile = join(folder, 'nodes.yaml');
    writeFileSync(nodesFile, nodesFileText(plan));
    const apiIp = plan[0]?.nodeIp ?? '127.0.0.1';
    const apiPort = await findApiPort(apiIp, [probePort, healthPort(probePort)]);
    const api = `${apiIp}:${apiPort}`;
    const nodes = plan.map((node, index) => ({
      ...node,
      responderPid: children.start(
        `the responder of ${node.name}`,
        [...program, ...responderArguments(node, probePort)],
        node.responderLog,
      ),
      agentPid: children.start(
        `the agent of ${node.name}`,
        [
          ...program,
          ...agentArguments(node, nodesFile, probePort, intervalS, index === 0 ? api : undefined),
        ],
        node.agentLog,
      ),
    }));
    const clients = plan.map(({ socketPath: path }) =>
      createClient({ address: { kind: 'unix', path }, timeoutMs: clientTimeoutMs }),
    );
    const [watched] = clients;
    const show = async (): Promise<undefined> => {
      await untilAnswering(clients, ending.signal);
      if (!watched) return;
      const noIcmp = await whyNoIcmp(watched);
      const facts = { nodes, folder, intervalS, healthPort: healthPort(probePort), api, noIcmp };
      screen.write(`${guide(facts)}\n`);
      return showTable(() => readTable(watched), screen, ending.signal);
    };
    return await Promise.race([stopAsked, children.died, show()]);
  } finally {
    ending.abort();
    await children.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws MeshError if no temporary folder can be made */
function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'meshprobe-'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MeshError(
      `expected TMPDIR to be a folder that can be written, got ${tmpdir()}: ${why}`,
    );
  }
}
