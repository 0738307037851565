import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { statusSchema } from '../../../../api/schema/status.js';
import { renderCiliumStatus } from '../../../../cli/view/cilium-status.js';

// status.txt and verbose.txt are what the formatter of Cilium 1.20.2 printed for status.json.
const fixtures = join(import.meta.dirname, '../../../fixtures/cilium-status');
const read = (name: string) => readFileSync(join(fixtures, name), 'utf8');
const status = statusSchema.parse(JSON.parse(read('status.json')));

describe('the status as Cilium prints it', () => {
  test('is what its own formatter prints, byte for byte', () => {
    expect(renderCiliumStatus(status)).toBe(read('status.txt'));
    expect(renderCiliumStatus(status, { verbose: true })).toBe(read('verbose.txt'));
  });

  test('shows the nodes though the local one is not listed', () => {
    const local = { name: 'cluster1/not-listed' };
    expect(renderCiliumStatus({ ...status, local })).toContain('\n  cluster2/new ');
  });

  test('escapes what comes from the network', () => {
    const hostile = { ...status, nodes: [{ name: 'c/\x1b[31m', host: null }] };
    expect(renderCiliumStatus(hostile)).toContain('  c/\\x1b[31m ');
  });
});
