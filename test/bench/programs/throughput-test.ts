// `throughput-test.mjs IP PORT KEY_FILE MS BYTES STREAMS`: makes one throughput test of the host plane, as an agent
// does, and prints its lines, each with the processor time in milliseconds that this end took since the one before.
import { readKeyFile } from '../../../agent/exchange/messages/key-file.js';
import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import { openKernelSockets } from '../../../agent/path-tests/throughput/kernel-sockets.js';
import { testThroughput } from '../../../agent/path-tests/throughput/throughput-test.js';
import { createNonces } from '../../../agent/platform/nonces.js';

const [ip = '', port = '', keyFile = '', ms = '', bytes = '', streams = ''] = process.argv.slice(2);
const lines = testThroughput({
  node: 'bench/peer',
  addresses: new Map([['host', ip]]),
  agentAddress: ip,
  agreement: { ms: Number(ms), bytes: Number(bytes), streams: Number(streams) },
  port: Number(port),
  session: {
    from: 'bench/agent',
    keys: new MeshKeys(readKeyFile(keyFile)),
    createNonce: createNonces(),
    kernel: await openKernelSockets(),
  },
  signal: new AbortController().signal,
});
let cpu = process.cpuUsage();
for await (const line of lines) {
  const { user, system } = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  process.stdout.write(`${JSON.stringify({ ...line, cpuMs: (user + system) / 1000 })}\n`);
}
