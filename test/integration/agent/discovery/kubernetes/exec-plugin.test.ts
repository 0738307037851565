import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ExecPlugin } from '../../../../../agent/discovery/kubernetes/exec-plugin.js';
import { createKubeAccess } from '../../../../../agent/discovery/kubernetes/kube-access.js';
import { kubeconfigText } from '../../../../doubles/api-server/kubeconfig.js';
import { runWithFewDescriptors } from '../../../lib/few-descriptors.js';
import { newFolder } from '../../../../resources/folder.js';

let folder: string;
let plugin: ExecPlugin;
beforeEach(() => {
  folder = newFolder();
  plugin = new ExecPlugin();
});
afterEach(() => {
  plugin.close();
});

/** A real plugin: a shell script that records each of its runs. */
function script(body: string): { command: string; apiVersion: string } {
  const command = join(folder, 'plugin');
  writeFileSync(command, `#!/bin/sh\necho $$ >>"${folder}/runs"\n${body}\n`);
  chmodSync(command, 0o755);
  return { command, apiVersion: 'client.authentication.k8s.io/v1' };
}
const runs = (): number[] => {
  const path = join(folder, 'runs');
  if (!existsSync(path)) return [];
  // A line that is not ended is still being written.
  return readFileSync(path, 'utf8').split('\n').slice(0, -1).map(Number);
};
const give = (status: object) =>
  `echo '${JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status })}'`;
const ask = (exec: object, by = plugin) =>
  by.credential({ exec: exec as Record<string, unknown>, environment: process.env });
const failureOf = (exec: object, by = plugin): Promise<string> =>
  ask(exec, by).then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  );

async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    // A zombie of a killed process group counts as gone.
    if (/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return;
    await delay(10);
  }
}

describe('a credential plugin', () => {
  test('that hangs is ended at its deadline, with all that it started', async () => {
    const short = new ExecPlugin({ deadlineMs: 300 });
    const exec = script(`sleep 1000 & echo $! >"${folder}/child"; wait`);
    expect(await failureOf(exec, short)).toBe(
      `credential plugin "${exec.command}" gave nothing within 0.3 s and was ended`,
    );
    await untilGone(Number(readFileSync(join(folder, 'child'), 'utf8')));
    for (const pid of runs()) await untilGone(pid);
  });

  test('that left a process behind with its output open does not outlast the deadline', async () => {
    const short = new ExecPlugin({ deadlineMs: 300 });
    const exec = script(`setsid sleep 30 & echo $! >"${folder}/child"`);
    expect(await failureOf(exec, short)).toContain('gave nothing within 0.3 s');
    process.kill(Number(readFileSync(join(folder, 'child'), 'utf8')), 'SIGKILL');
  });

  test('reads nothing from us', async () => {
    const exec = script(`if read -r line; then exit 3; fi; ${give({ token: 'eof' })}`);
    expect((await ask(exec)).token).toBe('eof');
  });

  test('runs once for all who ask at the same time', async () => {
    const exec = script(give({ token: 't' }));
    await Promise.all([ask(exec), ask(exec), ask(exec)]);
    expect(runs()).toHaveLength(1);
  });

  test('runs again when what it gave has expired, or was refused', async () => {
    const past = script(give({ token: 't', expirationTimestamp: '2020-01-01T00:00:00Z' }));
    await ask(past);
    await ask(past);
    expect(runs()).toHaveLength(2);
    const lasting = script(give({ token: 't' }));
    await ask(lasting);
    await ask(lasting);
    expect(runs()).toHaveLength(3);
    plugin.forget();
    await ask(lasting);
    expect(runs()).toHaveLength(4);
  });

  test('is told what Kubernetes promises, and has its own variables', async () => {
    const exec = script(
      `printf '%s' "$KUBERNETES_EXEC_INFO$REGION" >"${folder}/told"; ${give({ token: 't' })}`,
    );
    await ask({ ...exec, env: [{ name: 'REGION', value: 'west' }] });
    const info = {
      apiVersion: exec.apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false },
    };
    expect(readFileSync(join(folder, 'told'), 'utf8')).toBe(`${JSON.stringify(info)}west`);
  });

  test.each<[string, string, string]>([
    ['fails without a word', 'exit 7', 'ended with exit code 7'],
    [
      'says why it fails',
      'echo warning >&2; echo "no \x1b[31msession" >&2; exit 1',
      'ended with exit code 1: no \\x1b[31msession',
    ],
    ['is killed', 'kill -9 $$', 'was ended by SIGKILL'],
    ['prints no JSON', 'echo secret', 'gave no JSON (7 characters)'],
    ['gives nothing of use', give({}), 'gave neither a token nor a client certificate'],
    ['prints without end', 'exec yes', 'wrote more than 1048576 bytes and was ended'],
  ])('that %s is named with the reason', async (_, body, reason) => {
    const exec = script(body);
    expect(await failureOf(exec)).toBe(`credential plugin "${exec.command}" ${reason}`);
  });

  test('that is not there, has no command or wants a terminal is named with the reason', async () => {
    expect(await failureOf({ command: 'no-such-plugin', installHint: 'see the handbook' })).toBe(
      'credential plugin "no-such-plugin" could not be run: there is no such program (see the handbook)',
    );
    expect(await failureOf({})).toBe('credential plugin "" has no command');
    expect(await failureOf({ command: 'x', interactiveMode: 'Always' })).toContain(
      'needs a terminal',
    );
  });

  test('that cannot be run for want of a descriptor is named, and is run once there is one', async () => {
    const { command } = script(give({ token: 'later' }));
    const program = new URL('lib/plugin-without-descriptors.ts', import.meta.url);
    const outfile = join(folder, 'without-descriptors.mjs');
    expect(await runWithFewDescriptors(program, outfile, command)).toEqual([
      `credential plugin "${command}" could not be run: too many files are open`,
      'later',
    ]);
  });

  test('that the system refuses at once is named with the reason', async () => {
    const exec = script(give({ token: 't' }));
    expect(await failureOf({ ...exec, args: ['a\0b'] })).toMatch(
      /^credential plugin "[^"]+" could not be run: The argument 'args\[0\]' must be a string/,
    );
    expect((await ask(exec)).token).toBe('t');
  });

  test('gives the token or the certificate for each request', async () => {
    const exec = script(give({ token: 'abc', clientCertificateData: 'C', clientKeyData: 'K' }));
    const paths = join(folder, 'config');
    writeFileSync(paths, kubeconfigText('https://127.0.0.1:1', { exec }));
    const access = createKubeAccess({ kind: 'kubeconfig', paths, environment: process.env });
    const { headers, tls } = await access.forRequest();
    expect(headers['Authorization']).toBe('Bearer abc');
    expect(tls).toMatchObject({ cert: 'C', key: 'K' });
    access.close();
  });

  test('is not run when the kubeconfig is checked', async () => {
    const paths = join(folder, 'config');
    writeFileSync(paths, kubeconfigText('https://127.0.0.1:1', { exec: script('exit 1') }));
    const access = createKubeAccess({ kind: 'kubeconfig', paths, environment: process.env });
    await access.check();
    expect(runs()).toEqual([]);
  });

  test('is ended with the agent', async () => {
    const failure = failureOf(script('sleep 1000'));
    while (runs().length === 0) await delay(10);
    plugin.close();
    expect(await failure).toContain('was ended with the agent');
    for (const pid of runs()) await untilGone(pid);
  });
});
