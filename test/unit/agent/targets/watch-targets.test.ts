import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Target } from '../../../../agent/model/target.js';
import type { TargetsFileState } from '../../../../agent/targets/definition/targets-config.js';
import { parseTargetsFile } from '../../../../agent/targets/definition/targets-file.js';
import { watchTargets } from '../../../../agent/targets/definition/watch-targets.js';
import { newFolder } from '../../../resources/folder.js';
import { podAt } from './lib/fake-target.js';

let folder: string;
let stop: (() => void) | undefined;
beforeEach(() => (folder = newFolder()));
afterEach(() => stop?.());

const lists: (readonly string[])[] = [];
const states: TargetsFileState[] = [];
const path = (): string => join(folder, 'targets.yaml');
const write = (text: string): void => {
  writeFileSync(`${path()}.new`, text);
  renameSync(`${path()}.new`, path());
};

async function watch(inline: readonly Target[] = [], restMs = 5): Promise<void> {
  lists.length = states.length = 0;
  const pod = podAt(folder);
  const config = { kind: 'none', inline, file: path(), budgetPerSecond: 50, pod } as const;
  stop = await watchTargets({
    config,
    onTargets: (targets) => lists.push(targets.map(({ name }) => name)),
    report: (state) => states.push(state),
    pollMs: 5,
    restMs,
  });
}

const last = () => lists.at(-1);

test('reads the file, and again when it changes', async () => {
  write('targets: [{name: a, icmp: 127.0.0.1}]');
  await watch();
  expect(lists).toEqual([['a']]);
  write('targets: [{name: b, icmp: 127.0.0.1}]');
  await vi.waitFor(() => expect(last()).toEqual(['b']), 20_000);
  expect(states).toEqual([]);
});

test('a file that is being written in place is not read before it is whole', async () => {
  const line = (name: string) => `  - { name: ${name}, icmp: 127.0.0.1 }\n`;
  write(`targets:\n${line('a')}${line('b')}`);
  utimesSync(path(), 1, 1);
  await watch([], 3_600_000);
  writeFileSync(path(), `targets:\n${line('a')}`);
  // Some looks.
  await delay(100);
  expect(lists).toEqual([['a', 'b']]);
  write(`targets:\n${line('a')}${line('b')}${line('c')}`);
  utimesSync(path(), 1, 1);
  stop?.();
  await watch([], 3_600_000);
  expect(lists).toEqual([['a', 'b', 'c']]);
});

test('a bad change leaves the last good targets, and is reported once', async () => {
  write('targets: [{name: a, icmp: 127.0.0.1}]');
  await watch();
  write('targets: [{name: A}]');
  await vi.waitFor(() => expect(states).toHaveLength(1), 20_000);
  expect(states[0]?.lastError).toMatch(/^targets\[0\]\.name: expected/);
  rmSync(path());
  await vi.waitFor(() => expect(states).toHaveLength(2), 20_000);
  expect(states[1]?.lastError).toBe('there is no such file');
  expect(lists).toEqual([['a']]);
  write('targets: [{name: c, icmp: 127.0.0.1}]');
  await vi.waitFor(() => expect(last()).toEqual(['c']), 20_000);
  expect(states.map(({ lastError }) => lastError === undefined)).toEqual([false, false, true]);
});

test('a target of the file replaces an inline one of its name', async () => {
  write('targets: [{name: a, icmp: 127.0.0.2}, {name: b, icmp: 127.0.0.3}]');
  await watch(
    await parseTargetsFile('targets: [{name: a, icmp: 127.0.0.1}, {name: z, icmp: 127.0.0.1}]'),
  );
  expect(last()).toEqual(['a', 'z', 'b']);
});

test('sixteen are the most of the file and the configuration together', async () => {
  const list = (letter: string) =>
    `targets: [${Array.from({ length: 9 }, (_, i) => `{name: ${letter}${i}, icmp: 127.0.0.1}`).join()}]`;
  write(list('a'));
  await expect(watch(await parseTargetsFile(list('b')))).rejects.toThrow(
    'targets: expected at most 16 of different names, got 18 (0 of Kubernetes, 9 of the configuration, 9 of the file)',
  );
});

test('a file that is bad at the start is refused', async () => {
  write('targets: 7');
  await expect(watch()).rejects.toThrow('targets: expected a list of targets, got 7');
});
