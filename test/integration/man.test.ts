import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { man: string[] };
const noGroff =
  spawnSync('groff', ['--version']).status === 0 ? undefined : 'no groff here (Debian: groff)';

function render(page: string) {
  const args = ['-man', '-ww', '-Tascii', '-P-cbou', page];
  return spawnSync('groff', args, { cwd: root, encoding: 'utf8' });
}

test('the package has a page for each program', () => {
  expect(man).toEqual(['dist/man/meshprobe.1', 'dist/man/meshprobe-agent.8']);
});

describe.each(man)('%s', (page) => {
  test('is rendered without a warning', ({ skip }) => {
    skip(noGroff !== undefined, noGroff);
    const { status, stdout, stderr } = render(page);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^NAME\n {7}meshprobe(-agent)? +- +\w+/m);
    expect(stdout).toMatch(/^EXAMPLES\n {7}meshprobe/m);
    expect(stdout).toMatch(/^SEE ALSO\n/m);
  });
});
