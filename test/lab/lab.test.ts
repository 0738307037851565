import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { run, runIn } from './lib/command.js';
import { createLab } from './lib/lab.js';
import { labFolder, listNamespaces, removeNamespaces } from './lib/leftovers.js';
import { namespacesOf } from './lib/network.js';
import { missingFor } from './lib/requirements.js';

const missing = missingFor(4);

/** The links and addresses of the machine itself, which a lab must not change. */
const machine = (): Promise<string> => run('ip', ['-oneline', 'addr', 'show']);

describe('a lab', () => {
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  test('has no way out, touches no link of the machine and leaves nothing when closed', async () => {
    const before = await machine();
    const lab = await createLab({ hosts: 2, family: 4 });
    try {
      expect(await machine()).toBe(before);
      expect(await listNamespaces()).toEqual(expect.arrayContaining(namespacesOf(lab)));
      for (const namespace of namespacesOf(lab)) {
        expect(await runIn(namespace, ['ip', 'route', 'show', 'default'])).toBe('');
        await expect(runIn(namespace, ['ip', 'route', 'get', '203.0.113.1'])).rejects.toThrow(
          'unreachable',
        );
      }
    } finally {
      await lab.close();
    }
    const left = await listNamespaces();
    expect(left.filter((name) => namespacesOf(lab).includes(name))).toEqual([]);
    expect(await machine()).toBe(before);
  });

  test('removes what a dead run has left, and nothing of one that lives', async () => {
    const { pid: deadPid } = spawnSync(process.execPath, ['--version']);
    const dead = `mplab${deadPid}-0000`;
    const alive = `mplab${process.ppid}-0000`;
    await run('ip', ['netns', 'add', `${dead}-n1`]);
    await run('ip', ['netns', 'add', `${alive}-n1`]);
    await mkdir(labFolder(dead));
    try {
      await (await createLab({ hosts: 1, family: 4 })).close();
      expect(await listNamespaces()).not.toContain(`${dead}-n1`);
      expect(await listNamespaces()).toContain(`${alive}-n1`);
      expect(existsSync(labFolder(dead))).toBe(false);
    } finally {
      await removeNamespaces([`${alive}-n1`]);
    }
  });
});
