import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Dashboard } from './lib/dashboard.js';
import { setUpPage } from './lib/setup.js';

// The pictures of the README. They are written to docs/images only with PAGE_PICTURES=write.

const keep = process.env['PAGE_PICTURES'] === 'write';
const folder = keep
  ? join(import.meta.dirname, '../../docs/images')
  : mkdtempSync(join(tmpdir(), 'meshprobe-pictures-'));
afterAll(() => {
  if (!keep) rmSync(folder, { recursive: true });
});
const maxBytes = 100_000;
const { start } = setUpPage();
const polling = { timeout: 15_000 };
const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'];

async function take(dashboard: Dashboard, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await dashboard.page.mouse.move(0, 0);
  await dashboard.page.screenshot({ path });
  expect(statSync(path).size).toBeLessThan(maxBytes);
}

test('the picture of a broken cluster is made', async () => {
  const viewport = { width: 1000, height: 720 };
  const { cluster, dashboard } = await start({ nodes: 60, zones }, { viewport });
  cluster.breakEndpoint('prod/eu-west-1b-03');
  cluster.loseProbes('prod/eu-west-1a-05');
  await dashboard.open();
  await dashboard.untilPainted();
  await take(dashboard, 'page-overview');
});

test("the picture of a node's page is made", async () => {
  const { cluster, dashboard } = await start(
    { nodes: 60, zones },
    { viewport: { width: 1000, height: 660 }, colorScheme: 'dark' },
  );
  cluster.breakEndpoint('prod/eu-west-1b-03');
  await dashboard.open('/nodes/prod%2Feu-west-1b-03');
  await dashboard.untilPainted(dashboard.page.locator('.chart canvas').first());
  await dashboard.untilPainted(dashboard.page.locator('.chart canvas').last());
  await take(dashboard, 'page-node');
});

test('the picture of a matrix of 1,000 by 1,000 is made', async () => {
  const { cluster, dashboard } = await start(
    { nodes: 1000, zones: [...zones, 'us-east-1a', 'us-east-1b'] },
    { viewport: { width: 1120, height: 760 } },
  );
  cluster.kill('prod/eu-west-1b-017');
  cluster.cutZones('us-east-1a', 'eu-west-1c');
  for (const node of ['021', '140', '188']) cluster.loseProbes(`prod/us-east-1b-${node}`);
  await dashboard.open('/matrix');
  await dashboard.untilPainted();
  await expect
    .poll(() => dashboard.page.locator('.pill').textContent(), polling)
    .toContain('broken');
  await take(dashboard, 'page-matrix');
});
