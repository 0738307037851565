import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeFlags } from '../../../../agent/platform/node-start.js';
import { useFolder } from '../../../resources/folder.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const flags = nodeFlags.join(' ');
const folder = useFolder();
let agent: string;

beforeAll(() => {
  agent = join(folder, 'meshprobe-agent');
  // As npm and the image do it.
  symlinkSync(join(root, 'dist/agent/main.js'), agent);
});

describe('the start of Node', () => {
  test('has flags that the program gives itself, before those of NODE_OPTIONS', () => {
    const node = join(folder, 'node');
    writeFileSync(node, '#!/bin/sh\necho "$NODE_OPTIONS"\nfor word; do echo "$word"; done\n');
    chmodSync(node, 0o755);
    const startedWith = (options: NodeJS.ProcessEnv) =>
      execFileSync(agent, ['responder', '', 'a b'], {
        env: { PATH: `${folder}:/usr/bin:/bin`, ...options },
        encoding: 'utf8',
      });
    const words = [agent, 'responder', '', 'a b', ''].join('\n');
    expect(startedWith({})).toBe(`${flags} \n${words}`);
    const mine = '--max-semi-space-size=1';
    expect(startedWith({ NODE_OPTIONS: mine })).toBe(`${flags} ${mine}\n${words}`);
  });

  test('says how glibc is to keep memory, unless the environment says otherwise', () => {
    const node = join(folder, 'node');
    writeFileSync(node, '#!/bin/sh\necho "$MALLOC_ARENA_MAX $MALLOC_TRIM_THRESHOLD_"\n');
    chmodSync(node, 0o755);
    const startedWith = (env: NodeJS.ProcessEnv) =>
      execFileSync(agent, { env: { PATH: `${folder}:/usr/bin:/bin`, ...env }, encoding: 'utf8' });
    expect(startedWith({})).toBe('1 1048576\n');
    expect(startedWith({ MALLOC_ARENA_MAX: '4' })).toBe('4 1048576\n');
  });

  test('has flags that this Node knows, and its program is good JavaScript', () => {
    const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
    const { stdout, stderr, status } = spawnSync(agent, ['--version'], {
      env: { PATH },
      encoding: 'utf8',
    });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toContain(process.version);
    const direct = spawnSync(process.execPath, [...nodeFlags, agent, '--version']);
    expect(direct.status).toBe(0);
  });

  test('is the same in the image, on a host and in Kubernetes, which all start the program by its name', () => {
    const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');
    expect(read('Dockerfile')).toContain('dist/agent/main.js /usr/local/bin/meshprobe-agent');
    expect(read('entrypoint.sh')).toContain('exec meshprobe-agent "$@"');
    expect(read('systemd/meshprobe-agent.service')).toMatch(/^ExecStart=meshprobe-agent /m);
    expect(read('systemd/meshprobe-endpoint.service')).toMatch(/^ExecStart=meshprobe-agent /m);
    expect(read('kubernetes/base/agent.yaml')).toContain('command: [meshprobe-agent]');
    expect(read('kubernetes/base/endpoint.yaml')).toContain('command: [meshprobe-agent]');
  });
});
