import { realpathSync } from 'node:fs';
import type { MeshNode } from './plan.js';

/** A node of this run with the ids of its two processes. */
export interface RunningNode extends MeshNode {
  readonly agentPid: number;
  readonly responderPid: number;
}

/** The facts for the guide that the user sees when the mesh is ready. */
export interface GuideFacts {
  readonly nodes: readonly RunningNode[];
  readonly folder: string;
  readonly intervalS: number;
  readonly healthPort: number;
  /** The address at which the first node's agent serves its API over TCP. */
  readonly api: string;
  readonly noIcmp: string | undefined;
}

/**
 * Writes the guide: the sockets, and commands to try with the sockets and process ids of this run.
 */
export function guide({ nodes, folder, intervalS, healthPort, api, noIcmp }: GuideFacts): string {
  const [watched] = nodes;
  const victim = nodes[1] ?? watched;
  if (!watched || !victim) return '';
  const sock = `MESHPROBE_SOCK=${watched.socketPath}`;
  return [
    `${nodes.length} ${nodes.length === 1 ? 'node is' : 'nodes are'} up; each probes every path every ${intervalS}s. Ctrl-C stops everything.`,
    ...(noIcmp === undefined ? [] : [icmpLine(noIcmp)]),
    '',
    'Sockets:',
    ...nodes.map(({ socketPath }) => `  ${socketPath}`),
    `Logs: ${folder}/*.log`,
    '',
    'Try, from this folder in another terminal:',
    ...cliCommands.map(([command, what]) => `  ${sock} npx meshprobe ${command}  # ${what}`),
    `  curl http://${api}/v1/summary`,
    `  curl http://${watched.nodeIp}:${healthPort}/readiness`,
    '',
    ...breakage(watched, victim, noIcmp === undefined),
    ...question(nodes, victim),
    '',
    `The page, as ${watched.name} sees it, for a browser: http://${api}/`,
    '',
  ].join('\n');
}

/** What to try with the CLI, in columns. */
const cliCommands = inColumns([
  ['diagnose', 'what is broken, and what to do next'],
  ['status', 'every path of every node'],
  ['matrix', 'who reaches whom'],
  ['events --follow', 'what changes, as it changes'],
  ['wait --for 5s', 'until all is well'],
]);

function inColumns(rows: readonly (readonly [string, string])[]): readonly [string, string][] {
  const width = Math.max(...rows.map(([command]) => command.length));
  return rows.map(([command, what]) => [command.padEnd(width), what]);
}

function breakage(watched: RunningNode, victim: RunningNode, icmp: boolean): string[] {
  const { name, nodeIp, endpointIp, agentPid, responderPid } = victim;
  const fine = icmp ? 'reachable' : 'unknown';
  const row = (command: string, what: string, node: string, endpoints: string): string =>
    `  ${command.padEnd(27)} # ${what.padEnd(22)} -> Node ${`${node},`.padEnd(12)} Endpoints ${endpoints}`;
  const freezeAgent = [
    row(`kill -STOP ${agentPid}`, 'freeze its agent', 'unreachable', fine),
    row(`kill -STOP ${agentPid} ${responderPid}`, 'freeze both', 'unreachable', 'unreachable'),
  ];
  return [
    `Break ${name} and watch its row in ${watched.name}'s table below:`,
    row(`kill -STOP ${responderPid}`, 'freeze its endpoint', fine, 'unreachable'),
    // The watched agent is not frozen, because it could not report anything.
    ...(victim === watched ? [] : freezeAgent),
    row(`kill -CONT ${agentPid} ${responderPid}`, 'bring them back', fine, fine),
    `A frozen process fails HTTP while the kernel still answers ICMP, which \`status\` shows under ${name}:`,
    `  MESHPROBE_SOCK=${watched.socketPath} npx meshprobe status`,
    `    Host connectivity to ${nodeIp} (agent frozen) or Endpoint connectivity to ${endpointIp} (endpoint frozen):`,
    `      ICMP to stack:   ${icmp ? 'OK, RTT=...' : 'unknown'}`,
    `      HTTP to agent:   Connection timed out`,
  ];
}

/** A single node has no other agent to ask, so there is no question. */
function question(nodes: readonly RunningNode[], victim: RunningNode): string[] {
  const asked = nodes.findLast((node) => node !== victim);
  if (!asked) return [];
  return [
    '',
    `Then wait ten seconds, and now ask another node why (${asked.name} was not touched):`,
    `  MESHPROBE_SOCK=${asked.socketPath} npx meshprobe diagnose`,
  ];
}

function icmpLine(reason: string): string {
  if (!/permission/.test(reason)) return `ICMP stays unknown, HTTP goes on: ${reason}`;
  const node = realpathSync(process.execPath);
  return `ICMP stays unknown, HTTP goes on: no permission to send it; run npm start as root, or allow it once: sudo setcap cap_net_raw+ep ${node}`;
}
