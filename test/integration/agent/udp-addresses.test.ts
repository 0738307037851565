import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import { encodeDatagram } from '../../../agent/model/udp-datagram.js';
import { UdpPaths } from '../../../agent/path-tests/udp/udp-paths.js';
import { startUdpTester } from '../../../agent/path-tests/udp/udp-tester.js';
import { systemClock } from '../../../agent/platform/clock.js';
import { useFolder } from '../../resources/folder.js';
import { endProcess } from '../../resources/logged-process.js';
import { startCommand, type Ended, type Started } from '../../resources/program.js';
import { enterNetworkNamespace } from './probing/network-namespace.js';

const agent = fileURLToPath(new URL('../../../dist/agent/main.js', import.meta.url));
const secret = '0123456789abcdef';
const keys = new MeshKeys([secret]);
const port = 4244;

/** Why this cannot be tried here. This process is then in a network namespace of its own, which has no route out. */
const missing = firstMissing();
const folder = useFolder();
let responder: Started | undefined;

function firstMissing(): string | undefined {
  if (spawnSync('ip', ['-Version']).status !== 0) return 'ip (Debian package iproute2) is missing';
  if (!existsSync('/proc/sys/net/ipv6')) return 'the kernel has no IPv6';
  return enterNetworkNamespace() ? undefined : 'this process may not make a network namespace';
}

// One interface with two addresses of each family. Of fd99::4 the kernel looks for five seconds whether another
// host has it, and gives it to no socket before. The namespace ends with the responder.
const host = `
ip link set lo up
ip link add veth1 type veth peer name veth0 netns "$1"
nsenter --net="/proc/$1/ns/net" sh -ec '
  for scope in all default veth0; do echo 0 >/proc/sys/net/ipv6/conf/$scope/disable_ipv6; done
  ip link set veth0 up
  ip address add 10.99.0.1/16 dev veth0
  ip address add fd99::1/64 dev veth0 nodad'
for scope in all default veth1; do echo 0 >/proc/sys/net/ipv6/conf/$scope/disable_ipv6; done
echo 5 >/proc/sys/net/ipv6/conf/veth1/dad_transmits
ip link set veth1 up
ip address add 10.99.0.2/24 dev veth1
ip address add 10.99.0.3/24 dev veth1
ip address add fd99::2/64 dev veth1 nodad
ip address add fd99::3/64 dev veth1 nodad
ip address add fd99::4/64 dev veth1
until ip link show veth1 | grep -q 'state UP'; do :; done
exec "$2" "$3" responder --udp-port ${port} --mesh-key-file "$4" --targets none
`;

beforeAll(async () => {
  if (missing !== undefined) return;
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, secret, { mode: 0o600 });
  const args = [String(process.pid), process.execPath, agent, keyFile];
  const started = startCommand('unshare', ['--net', 'sh', '-ec', host, 'sh', ...args]);
  responder = started;
  let end: Ended | undefined;
  void started.ended.then((ended) => (end = ended));
  const isAnswering = () => started.output.stdout.includes('responder is answering');
  await vi.waitUntil(() => end !== undefined || isAnswering(), { timeout: 30_000 });
  expect(end).toBeUndefined();
});
beforeEach(({ skip }) => skip(missing !== undefined, missing));
afterAll(async () => {
  if (responder) await endProcess(responder.child);
});

/** Changes addresses of the responder's host. */
function changeAddresses(change: 'add' | 'del', addresses: readonly string[]): void {
  const network = `--net=/proc/${responder?.child.pid}/ns/net`;
  const input = addresses.map((ip) => `address ${change} ${ip}/32 dev veth1\n`).join('');
  const { status, stderr } = spawnSync('nsenter', [network, 'ip', '-batch', '-'], { input });
  expect([status, String(stderr)]).toEqual([0, '']);
}

/** How many addresses 10.99.1.X have a socket. */
function laterSockets(): number {
  const table = readFileSync(`/proc/${responder?.child.pid}/net/udp`, 'utf8');
  // As the kernel writes these addresses, and the port.
  return table.match(/ [0-9A-F]{2}01630A:1094 /g)?.length ?? 0;
}

/** Asks until an answer comes from the address that is asked. */
async function untilAnswered(ip: string): Promise<void> {
  const socket = createSocket(ip.includes(':') ? 'udp6' : 'udp4');
  onTestFinished(() => void socket.close());
  const sources = new Set<string>();
  socket.on('message', (_, from) => sources.add(from.address));
  const asked = { session: 'session1', sequence: 1, counter: 0, epoch: 0 };
  const datagram = encodeDatagram({ type: 'request', ...asked }, keys);
  const ask = (): boolean => {
    socket.send(datagram, port, ip);
    return sources.has(ip);
  };
  await vi.waitUntil(ask, { timeout: 30_000, interval: 100 });
  expect([...sources]).toEqual([ip]);
}

test.each(['10.99.0.2', '10.99.0.3', 'fd99::2', 'fd99::3'])(
  'a node of several addresses that is listed as %s loses nothing',
  async (ip) => {
    const paths = new UdpPaths();
    const path = { node: 'c/n2', plane: 'endpoint', ip, sources: new Set([ip]) } as const;
    paths.setPaths([path]);
    onTestFinished(startUdpTester({ paths, port, keys, clock: systemClock }));
    const state = () => paths.of(path, systemClock.nowMs());
    await vi.waitUntil(() => state()?.sent === 8, { timeout: 20_000, interval: 50 });
    expect(state()).toMatchObject({ lost: 0, answeredAt: expect.any(Number) as number });
  },
);

test('an address of which the host is not sure at the start is answered once it is', async () => {
  await untilAnswered('fd99::4');
});

test('an address that the host gets later is answered, and of those that have gone few keep a socket', async () => {
  const later = Array.from({ length: 20 }, (_, index) => `10.99.1.${index + 1}`);
  changeAddresses('add', later);
  await untilAnswered('10.99.1.20');
  await vi.waitUntil(() => laterSockets() === 20, { timeout: 30_000 });
  changeAddresses('del', later);
  await vi.waitUntil(() => laterSockets() === 16, { timeout: 30_000 });
  // It may come back, and is answered then as before.
  changeAddresses('add', ['10.99.1.20']);
  await untilAnswered('10.99.1.20');
});
