import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { failingPlane, targetBody, targetPlane } from '../doubles/targets.js';
import type { MadeUpCluster } from '../doubles/agent-api/cluster.js';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();

function breakDns(cluster: MadeUpCluster): void {
  cluster.lives = [
    targetBody('cluster-dns', 12, {
      verdict: 'broken',
      planes: {
        host: targetPlane(12),
        endpoint: failingPlane(12, ['prod/west-3'], {
          state: 'reachable',
          addresses: ['10.96.0.1'],
        }),
      },
    }),
  ];
}

test('the overview has a card of the targets, and none where there are none', async () => {
  const { cluster, dashboard } = await start();
  await dashboard.open();
  await dashboard.untilPainted();
  const rows = dashboard.rows('Table of targets');
  expect(await rows.count()).toBe(0);
  breakDns(cluster);
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.nth(1).textContent()).toContain('11 of 12 nodes');
  expect(await rows.nth(1).textContent()).toContain('west-3');
  await dashboard.page.getByRole('link', { name: 'cluster-dns' }).first().click();
  await expect.poll(() => dashboard.path).toBe('/targets/cluster-dns');
});

test('a target has a page with its planes, zones and nodes, the worst first', async () => {
  const { cluster, dashboard, page } = await start();
  breakDns(cluster);
  await dashboard.open('/targets/cluster-dns');
  const nodes = dashboard.rows('Table of nodes');
  await expect.poll(() => nodes.count()).toBe(12);
  expect(await nodes.nth(0).textContent()).toContain('west-3');
  expect(await nodes.nth(0).textContent()).toContain('unreachable');
  const zones = dashboard.rows('Table of zones');
  await expect.poll(() => zones.count()).toBe(6);
  for (const heading of await page.locator('main h2').all()) {
    const above = await heading.evaluate((element) => {
      const { top } = element.getBoundingClientRect();
      const before = element.closest('section')?.previousElementSibling;
      return top - (before?.getBoundingClientRect().bottom ?? 0);
    });
    expect(above).toBeGreaterThanOrEqual(16);
  }
  const facts = page.getByRole('region', { name: 'Facts, endpoint plane' });
  expect(await facts.textContent()).toContain('Reached from11 of 12 nodes');
});

test('the targets have a view of their own, and the navigation leads there and to the matrix', async () => {
  const { cluster, dashboard, page } = await start();
  await dashboard.open('/targets');
  const main = page.locator('main');
  await expect.poll(() => main.textContent()).toContain('The agent was given no targets');
  breakDns(cluster);
  cluster.lives.push(targetBody('api-server', 12));
  const views = page.getByRole('navigation', { name: 'Views' });
  await dashboard.open();
  await views.getByRole('link', { name: 'Targets' }).click();
  expect(dashboard.path).toBe('/targets');
  await expect.poll(() => page.title()).toContain('targets');
  const rows = dashboard.rows('Table of targets');
  await expect.poll(() => rows.count()).toBe(4);
  await page.getByRole('button', { name: 'Reached from' }).click();
  expect(dashboard.path).toBe('/targets?sort=reached');
  await expect.poll(() => rows.first().textContent()).toContain('11 of 12 nodes');
  await views.getByRole('link', { name: 'Matrix' }).click();
  expect(dashboard.path).toBe('/matrix');
  await expect.poll(() => dashboard.heading.textContent()).toContain('All nodes');
  const current = views.locator('[aria-current=page]');
  expect(await current.allTextContents()).toEqual(['Matrix']);
});

test('the nodes of a target are sorted by a plane, and the URL keeps it', async () => {
  const { cluster, dashboard, page } = await start();
  breakDns(cluster);
  await dashboard.open('/targets/cluster-dns?sort=name');
  const nodes = dashboard.rows('Table of nodes');
  await expect.poll(() => nodes.first().textContent()).toContain('east-1');
  await page.getByRole('button', { name: 'endpoint' }).click();
  await expect.poll(() => nodes.first().textContent()).toContain('west-3');
  expect(dashboard.path).toBe('/targets/cluster-dns?sort=endpoint');
});

test('a node has a section of what it reaches', async () => {
  const { cluster, dashboard } = await start();
  breakDns(cluster);
  await dashboard.open('/nodes/prod%2Fwest-3');
  const rows = dashboard.rows('Targets from this node');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.nth(1).textContent()).toContain('unreachable');
});

test('axe finds nothing on the card and the page of a target', async () => {
  const { cluster, dashboard } = await start();
  breakDns(cluster);
  const source = readFileSync(
    createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
    'utf8',
  );
  for (const [path, region] of [
    ['/', 'Table of targets'],
    ['/targets', 'Table of targets'],
    ['/targets/cluster-dns', 'Table of nodes'],
  ] as const) {
    await dashboard.open(path);
    await dashboard.page.getByRole('region', { name: region }).waitFor();
    await dashboard.page.evaluate(source);
    const found = await dashboard.page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run: (where: Document) => Promise<{ violations: { id: string }[] }> };
      };
      return (await axe.run(document)).violations.map(({ id }) => id);
    });
    expect(found).toEqual([]);
  }
});
