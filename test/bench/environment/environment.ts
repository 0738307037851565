import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ip, run, runIn } from '../../lab/lib/command.js';
import { labFolder, labPrefix, removeLeftovers, removeMade } from '../../lab/lib/leftovers.js';
import { startService, type Service } from './child.js';
import { range } from './cluster.js';

/** The port of the responders. */
export const probePort = 4240;

/** The port for the agent's API, if it serves it over TCP. */
export const apiPort = 4242;

/** The address of the agent's host. The peers' namespace has no other route to it. */
export const agentIp = '198.51.100.1';

/** Two namespaces: one with the agent, one with all its peers. */
export interface BenchEnvironment {
  readonly folder: string;
  readonly agentNamespace: string;
  readonly peerNamespace: string;
  /** Answers `GET /hello` for every address. */
  readonly responder: Service;
  /** Drops everything that is sent to these addresses. */
  cut(addresses: readonly string[]): Promise<void>;
  restore(addresses: readonly string[]): Promise<void>;
  /** Drops every ICMP echo request, or stops doing so. */
  filterIcmp(isFiltered: boolean): Promise<void>;
  /** Undoes every cut and filter. */
  restoreAll(): Promise<void>;
  /** Ends the processes and removes the namespaces. */
  close(): Promise<void>;
}

const rules = `
table inet bench {
  set cut { type ipv4_addr; }
  chain faults {
    type filter hook prerouting priority -300;
    ip daddr @cut drop
    jump echoes
  }
  chain echoes { }
}
`;
const prepare = `
sysctl -qw net.ipv4.ping_group_range='0 2147483647' 2>/dev/null ||
  echo '0 2147483647' >/proc/sys/net/ipv4/ping_group_range
`;

/**
 * Removes what earlier runs left, builds the environment and starts the responder.
 * @param agentProgram the built agent, which is also the responder
 * @throws Error if it cannot be built; then nothing of it is left
 */
export async function buildEnvironment(agentProgram: string): Promise<BenchEnvironment> {
  await removeLeftovers();
  const prefix = labPrefix();
  const folder = labFolder(prefix);
  const [agentNamespace, peerNamespace] = [`${prefix}-agent`, `${prefix}-peer`];
  const nft = async (commands: string): Promise<void> => {
    await runIn(peerNamespace, ['nft', '-f', '-'], commands);
  };
  const element = (verb: 'add' | 'delete') => async (addresses: readonly string[]) => {
    if (addresses.length === 0) return;
    await nft(`${verb} element inet bench cut { ${addresses.join(', ')} }\n`);
  };
  const close = () => removeMade([agentNamespace, peerNamespace], folder);
  try {
    await mkdir(folder, { mode: 0o700 });
    await buildNetwork(agentNamespace, peerNamespace);
    await nft(rules);
    const responder = startService(
      peerNamespace,
      [process.execPath, agentProgram, 'responder', '--probe-port', `${probePort}`],
      join(folder, 'responder.log'),
    );
    return {
      folder,
      agentNamespace,
      peerNamespace,
      responder,
      close,
      cut: element('add'),
      restore: element('delete'),
      async filterIcmp(isFiltered) {
        const rule = 'add rule inet bench echoes icmp type echo-request drop\n';
        await nft(`flush chain inet bench echoes\n${isFiltered ? rule : ''}`);
      },
      restoreAll: () => nft('flush set inet bench cut\nflush chain inet bench echoes\n'),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The namespaces have no link to the machine's own namespace and no route out. */
async function buildNetwork(agent: string, peer: string): Promise<void> {
  await run('ip', ['-batch', '-'], `netns add ${agent}\nnetns add ${peer}\n`);
  await ip(agent, [
    'link set lo up',
    `link add eth0 type veth peer name eth0 netns ${peer}`,
    `addr add ${agentIp}/24 dev eth0`,
    'link set eth0 up',
  ]);
  await ip(peer, [
    'link set lo up',
    'addr add 198.51.100.2/24 dev eth0',
    'link set eth0 up',
    `route add local ${range} dev lo`,
  ]);
  await ip(agent, [`route add ${range} via 198.51.100.2`]);
  for (const namespace of [agent, peer]) await runIn(namespace, ['sh', '-e'], prepare);
}
