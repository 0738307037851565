import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkTargets } from '../../../../agent/targets/definition/check-targets.js';
import { useFolder } from '../../../resources/folder.js';
import { podAt } from './lib/fake-target.js';

const folder = useFolder();

const pod = podAt('/none');

function check(text: string) {
  const file = join(folder, 'targets.yaml');
  writeFileSync(file, text);
  const bounds = { budgetPerSecond: 50 };
  return checkTargets({ kind: 'none', inline: [], file, ...bounds, pod });
}
const secret = (line: string): string => {
  const path = join(folder, 'headers');
  writeFileSync(path, line);
  return path;
};

test('all targets are read, with the files that they name', async () => {
  const headers = secret('Authorization: Bearer x\n');
  const text = `targets: [{name: a, http: {url: "http://b/", headersFile: ${headers}}}, {name: c, icmp: d}]`;
  expect(await check(text)).toHaveLength(2);
});

test.each([
  [
    'a file that is not there',
    () => '/none',
    /^target a: headersFile: \/none: there is no such file$/,
  ],
  ['a line without a name', () => secret('Bearer x'), /line 1: expected a header as Name: value$/],
  [
    'a header of the connection',
    () => secret('\nHost: a\nTE: x'),
    /line 3: expected a header that/,
  ],
  ['a value that no header has', () => secret('A: \0x'), /line 1: expected a value of characters/],
  ['too many', () => secret('A: x\n'.repeat(33)), /expected at most 32 headers, got 33$/],
  ['too much', () => secret(`A: ${'x'.repeat(20_000)}`), /expected at most 16384 bytes/],
])('%s is refused, and nothing of it is shown', async (_, path, words) => {
  const target = `{name: a, http: {url: "http://b/", headersFile: ${path()}}}`;
  await expect(check(`targets: [${target}]`)).rejects.toThrow(words);
  await expect(check(`targets: [${target}]`)).rejects.not.toThrow(/Bearer|xxx/);
});

test('what only the endpoint reads is not looked for on the node', async () => {
  const target = '{name: a, from: endpoint, http: {url: "https://b/", ca: /none}}';
  expect(await check(`targets: [${target}]`)).toHaveLength(1);
  await expect(check(`targets: [${target.replace('endpoint', 'both')}]`)).rejects.toThrow(
    'target a: ca: /none: there is no such file',
  );
});
