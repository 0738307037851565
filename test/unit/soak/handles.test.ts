import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { askHandles, environmentOf } from '../../soak/handles.js';
import { newFolder } from '../../resources/folder.js';

let folder: string;
beforeEach(() => (folder = newFolder()));

test('what an agent told is read, and it is asked again only while it runs', async () => {
  let asked = 0;
  const count = () => {
    asked++;
  };
  process.on('SIGUSR2', count);
  try {
    // An agent that has told nothing yet would be ended by the signal.
    expect(await askHandles(folder, process.pid, () => true)).toEqual({});
    const told = { timers: 3, handles: 4, heap: 20 };
    writeFileSync(join(folder, `handles-${process.pid}.json`), JSON.stringify(told));
    expect(await askHandles(folder, process.pid, () => false)).toEqual(told);
    expect(asked).toBe(0);
    expect(await askHandles(folder, process.pid, () => true)).toEqual(told);
    await expect.poll(() => asked).toBe(1);
  } finally {
    process.off('SIGUSR2', count);
  }
});

test('the environment keeps the options that Node was given', () => {
  const { NODE_OPTIONS = '' } = environmentOf(folder, '/a b/tell.js');
  expect(NODE_OPTIONS).toContain('--import=file:///a%20b/tell.js');
  expect(NODE_OPTIONS.startsWith(process.env['NODE_OPTIONS'] ?? '')).toBe(true);
});
