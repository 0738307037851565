import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { runIn } from './lib/command.js';
import { useMesh } from './lib/mesh.js';
import { probePort } from './lib/plan.js';

const program = join(import.meta.dirname, '../../dist/agent/main.js');
const polling = { timeout: 60_000, interval: 500 };

describe('the self check of an agent on a host', () => {
  const mesh = useMesh({ hosts: 2, family: 4 });

  /** The output of the check command on that host; empty if all is well. */
  async function check(namespace: string, ...questions: string[]): Promise<string> {
    return runIn(namespace, [process.execPath, program, 'check', ...questions]).then(
      () => '',
      (error: unknown) => String(error),
    );
  }

  test('fails readiness, but not liveness, while its own responder is refused, and says where', async () => {
    const host = mesh().lab.host('n1');
    await vi.waitFor(
      async () => expect(await check(host.namespace, '--live', '--ready')).toBe(''),
      polling,
    );
    const rule = `tcp dport ${probePort} iif lo reject with tcp reset`;
    const rules = `table inet selfcheck { chain c { type filter hook input priority 0; ${rule}; }; }`;
    await runIn(host.namespace, ['nft', '-f', '-'], `${rules}\n`);
    await vi.waitFor(
      async () =>
        expect(await check(host.namespace, '--live', '--ready')).toContain(
          `exit code 1\nnot ready: responder: GET /hello failed on ${host.nodeIp}: connection refused\n`,
        ),
      polling,
    );
    expect(await check(host.namespace, '--live')).toBe('');
    await runIn(host.namespace, ['nft', 'delete', 'table', 'inet', 'selfcheck']);
    await vi.waitFor(
      async () => expect(await check(host.namespace, '--live', '--ready')).toBe(''),
      polling,
    );
  });
});
