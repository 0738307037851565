import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { ip, run, runIn } from './lib/command.js';
import { labPrefix } from './lib/leftovers.js';
import { missingFor } from './lib/requirements.js';

const serviceIp = '10.96.0.10';
// As kube-proxy in nftables mode has it of a Service without endpoints.
const rules = `table ip kube-proxy {
  chain out { type filter hook output priority 0; ip daddr ${serviceIp} reject; }
}
`;
const ask = `
import { askServer } from './agent/targets/probers/ask-server.js';
const question = { query: 'kubernetes.default.svc.cluster.local', type: 'A', expect: [] };
askServer('${serviceIp}', question, 2000, ({ outcome }) => console.log(JSON.stringify(outcome)));
`;

test('DNS behind a Service without endpoints is told as such, and not as a firewall alone', async ({
  skip,
}) => {
  const missing = missingFor(4);
  if (missing !== undefined) skip(missing);
  const namespace = `${labPrefix()}-rejects`;
  const folder = await mkdtemp(join(tmpdir(), 'meshprobe-rejects-'));
  const script = join(folder, 'ask.mjs');
  const resolveDir = join(import.meta.dirname, '../..');
  const stdin = { contents: ask, resolveDir, loader: 'ts' as const };
  await build({ stdin, outfile: script, bundle: true, format: 'esm', platform: 'node' });
  await run('ip', ['netns', 'add', namespace]);
  try {
    await ip(namespace, [
      'link set lo up',
      'link add node type veth peer name way',
      'address add 192.0.2.1/24 dev node',
      'link set node up',
      'link set way up',
      'route add 10.96.0.0/16 via 192.0.2.2',
    ]);
    await runIn(namespace, ['nft', '-f', '-'], rules);
    const outcome: unknown = JSON.parse(await runIn(namespace, ['node', script]));
    expect(outcome).toMatchObject({
      outcome: 'failure',
      kind: 'local',
      detail:
        'this host cannot send: operation not permitted (a Service without endpoints, or a firewall of its own?)',
    });
  } finally {
    await run('ip', ['netns', 'del', namespace]);
    await rm(folder, { recursive: true });
  }
});
