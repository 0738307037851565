import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runWithFewDescriptors } from '../lib/few-descriptors.js';
import { newFolder } from '../../resources/folder.js';

let folder: string;
beforeEach(() => (folder = newFolder()));

test('what cannot be read of this host any more stays as it was', async () => {
  const zeros = '0'.repeat(32);
  writeFileSync(join(folder, 'route'), 'Iface\neth0\t00000000\t0101F40A\t0003\n');
  writeFileSync(
    join(folder, 'ipv6_route'),
    `${zeros} 00 ${zeros} 00 fd${'0'.repeat(29)}1 00000400 00000001 00000000 00000003 eth0\n`,
  );
  const program = new URL('lib/own-agent-without-descriptors.ts', import.meta.url);
  const outfile = join(folder, 'program.mjs');
  expect(await runWithFewDescriptors(program, outfile, folder)).toEqual([
    [true, false],
    [true, false],
    [true, false],
  ]);
});
