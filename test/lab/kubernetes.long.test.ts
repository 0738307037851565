import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFailed, test, vi } from 'vitest';
import type { Agents } from './lib/agents.js';
import { startApiServer, type LabApiServer } from './lib/api-server.js';
import * as faults from './lib/faults.js';
import { createLab, type Lab } from './lib/lab.js';
import { lookAt, type Look } from './lib/look.js';
import type { Host } from './lib/plan.js';
import { missingFor } from './lib/requirements.js';

const missing = missingFor(4);
const polling = { timeout: 90_000, interval: 500 };

const awayText =
  'waiting for nodes of the Kubernetes API of lab since <time>: LIST (connect ECONNREFUSED 198.51.100.254:6443)';
const listStays = awayText.replace('LIST', 'the node list of <time> stays in use');
const byRows = 'changes from the Kubernetes API of lab come as table rows';
const noListYet = awayText.replace('LIST', 'there is no node list yet');

/** What an agent without problems says. */
function well(nodes: number, succinct: readonly string[]): Look {
  const nodeSource = `${nodes} nodes, listed <time>; ${byRows}`;
  return { succinct, problems: [], liveness: '200', readiness: '200', nodeSource };
}

/** What the agent says while the API server is away: it is ready, and names the problem. */
function onItsOwn(nodes: number, succinct: readonly string[]): Look {
  const nodeSource = `${nodes} nodes, listed <time>; ${byRows}; ${listStays}`;
  const readiness = `200 (node-source: ${nodeSource})`;
  return { succinct, problems: [listStays], liveness: '200', readiness, nodeSource };
}

/** What `status --succinct` prints after the name of a node. */
type Lines = Readonly<Record<string, string>>;

describe('agents of a Kubernetes cluster', () => {
  let lab: Lab;
  let server: LabApiServer;
  let agents: Agents;
  const running: Host[] = [];

  beforeAll(async () => {
    if (missing !== undefined) return;
    lab = await createLab({ hosts: 5, family: 4 });
    server = await startApiServer(lab);
    agents = lab.agentsWith(server.source);
    return async () => {
      await server.stop();
      await lab.close();
    };
  });
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
    onTestFailed(() => console.error(agents.logs()));
  });

  /** Creates what a booted host brings: its node, its endpoint and its agent. */
  async function boot(name: string): Promise<void> {
    const host = lab.host(name);
    await server.putNode(host);
    await server.putEndpoint(host);
    agents.start(host);
    running.push(host);
  }

  async function powerOff(name: string): Promise<void> {
    const host = lab.host(name);
    running.splice(running.indexOf(host), 1);
    await agents.end(host);
  }

  /** Waits until the agent of a host says exactly this. */
  async function untilSaid(host: Host, expected: Look): Promise<void> {
    const look = () => lookAt(host, agents.socketPath(host));
    await vi.waitFor(async () => expect(await look()).toEqual(expected), polling);
  }

  /**
   * What the agent of a host prints about the cluster: the head, and a line for each node by its
   * name.
   */
  function seenBy(host: Host, health: string, lines: Lines): string[] {
    const names = Object.keys(lines).sort((a, b) =>
      a === host.name ? -1 : b === host.name ? 1 : a.localeCompare(b),
    );
    return [
      `Cluster health: ${health} (<time>)`,
      ...names.map((name) => {
        const localhost = name === host.name ? ' (localhost)' : '';
        return `lab/${name}${localhost} ${lines[name]?.replace('IP', lab.host(name).nodeIp) ?? ''}`;
      }),
    ];
  }

  /** Waits until every running agent says this about the cluster. */
  async function untilAllSay(look: typeof well, health: string, lines: Lines): Promise<void> {
    expect(running).not.toEqual([]);
    for (const host of running) {
      await untilSaid(host, look(Object.keys(lines).length, seenBy(host, health, lines)));
    }
  }

  const fine = 'IP reachable reachable';
  const cordoned = '(excluded: cordoned) IP reachable reachable';

  test('discover each other: nodes by the Node objects, endpoints by their pods', async () => {
    for (const name of ['n1', 'n2', 'n3', 'n4']) await boot(name);
    await untilAllSay(well, '4/4 reachable', { n1: fine, n2: fine, n3: fine, n4: fine });
  });

  test('list a cordoned node with the reason, probe it, and count it apart', async () => {
    await server.putNode(lab.host('n2'), { isCordoned: true });
    const others = { n3: fine, n4: fine };
    await untilAllSay(well, '3/3 reachable, 1 excluded', { n1: fine, n2: cordoned, ...others });
  });

  test('do not blame a node that leaves, and forget it when it is gone', async () => {
    const n3 = lab.host('n3');
    await server.putNode(n3, { deletedAt: new Date() });
    await powerOff('n3');
    const left = { n1: fine, n2: cordoned, n4: fine };
    await untilAllSay(well, '2/2 reachable, 1 leaving, 1 excluded', {
      ...left,
      n3: '(leaving: deleting) IP unreachable unreachable',
    });
    await server.remove(n3);
    await untilAllSay(well, '2/2 reachable, 1 excluded', left);
  });

  test('wait for a node that joins, and count it once it is ready', async () => {
    const n5 = lab.host('n5');
    await server.putNode(n5, { isReady: false, createdAt: new Date() });
    const others = { n1: fine, n2: cordoned, n4: fine };
    await untilAllSay(well, '2/2 reachable, 1 joining, 1 excluded', {
      ...others,
      n5: '(joining: NotReady (KubeletNotReady)) IP unreachable -',
    });
    await boot('n5');
    await untilAllSay(well, '3/3 reachable, 1 excluded', { ...others, n5: fine });
  });

  test('keep probing the nodes they know while the API server is away, and say what they wait for', async () => {
    const [n1, n4] = [lab.host('n1'), lab.host('n4')];
    const others = { n1: fine, n2: cordoned, n5: fine };
    await server.goAway();
    await untilAllSay(onItsOwn, '3/3 reachable, 1 excluded', { ...others, n4: fine });
    const mend = await faults.cutOff(lab, n4);
    const without = { ...others, n4: 'IP unreachable unreachable' };
    await untilSaid(n1, onItsOwn(4, seenBy(n1, '2/3 reachable, 1 excluded', without)));
    await mend();
    await untilAllSay(onItsOwn, '3/3 reachable, 1 excluded', { ...others, n4: fine });
  });

  test('are alive and not ready if they start while the API server is away, and no list was kept', async () => {
    const n3 = lab.host('n3');
    const socket = agents.socketPath(n3);
    await rm(join(dirname(socket), 'state', `${basename(socket)}.lab.nodes`));
    await boot('n3');
    await untilSaid(n3, {
      succinct: seenBy(n3, '0/0 reachable', {}),
      problems: [noListYet],
      liveness: '200',
      readiness: `503 node-source: ${noListYet} first-sweep: starts with the node list peers: known after the first sweep`,
      nodeSource: noListYet,
    });
  });

  test('take over all changes when the API server is back', async () => {
    await server.putNode(lab.host('n2'));
    // The host got a new disk and registers as another node with the same name.
    await server.putNode(lab.host('n4'), { uid: 'another' });
    const backAt = Date.now();
    await server.comeBack();
    const all = { n1: fine, n2: fine, n3: fine, n4: fine, n5: fine };
    await untilAllSay(well, '5/5 reachable', all);
    const cells = await agents.read();
    const since = (name: string) =>
      Math.min(
        ...cells
          .filter(({ source, target }) => source === 'n1' && target === name)
          .map((cell) => cell.since),
      );
    expect(since('n4')).toBeGreaterThan(backAt);
    expect(since('n2')).toBeLessThan(backAt);
    for (const { name } of running) {
      const log = await readFile(join(lab.folder, `${name}-agent.log`), 'utf8');
      expect(log.match(/"msg":"(waiting for the node source|node source is well again)"/g)).toEqual(
        ['"msg":"waiting for the node source"', '"msg":"node source is well again"'],
      );
    }
  });

  test('end with exit code 0 on SIGTERM', async () => {
    await agents.stop();
  });
});
